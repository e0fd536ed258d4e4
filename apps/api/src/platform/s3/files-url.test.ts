import { expect, it } from 'vitest';
import { filesPlaceOf } from './files-url.ts';

it('reads where files are stored', () => {
  expect(filesPlaceOf('s3://files')).toEqual({
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    region: 'us-east-1',
    bucket: 'files',
    isPathStyle: false,
    prefix: '',
  });
  expect(filesPlaceOf('s3://my.files/a/b/?endpoint=http://minio:9000&region=eu-central-1')).toEqual({
    endpoint: 'http://minio:9000',
    region: 'eu-central-1',
    bucket: 'my.files',
    isPathStyle: true,
    prefix: 'a/b/',
  });
  expect(filesPlaceOf('s3://files?endpoint=https://s3.example.com&path_style=false').isPathStyle).toBe(false);
});

it.each([
  ['https://files', /takes s3:/u],
  ['s3://', /takes s3:/u],
  ['s3://a', /name of a bucket/u],
  ['s3://key:secret@files', /takes no key/u],
  ['s3://files?endpoint=minio:9000', /starts with http/u],
  ['s3://files?endpoint=https://s3.example.com/path', /has no path/u],
  ['s3://files?region=EU!', /region such as/u],
  ['s3://files?path_style=yes', /path_style/u],
  ['s3://files?acl=public', /not acl/u],
  ['s3://files/%2e%2e/x/..%2f', /takes s3:/u],
])('refuses %s', (text, why) => {
  expect(() => filesPlaceOf(text)).toThrow(why);
});
