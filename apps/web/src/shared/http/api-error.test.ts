import { describe, expect, it } from 'vitest';
import { ApiError, errorFromText, networkError } from './api-error.ts';

describe('errorFromText', () => {
  it('takes code, message and request id from the error body', () => {
    const text = JSON.stringify({
      error: { code: 'version_conflict', message: 'Load it again.', request_id: 'r-1', details: { version: 3 } },
    });
    expect(errorFromText(409, text)).toMatchObject({
      status: 409,
      code: 'version_conflict',
      message: 'Load it again.',
      requestId: 'r-1',
      details: { version: 3 },
    });
  });

  it('names the status when a proxy answers with an HTML page', () => {
    const error = errorFromText(502, '<html>Bad gateway</html>');
    expect(error.message).toContain('502');
    expect(error.message).not.toContain('<html>');
  });
});

describe('networkError', () => {
  it('says what to do, and passes an abort through', () => {
    expect(networkError(new TypeError('fetch failed'))).toBeInstanceOf(ApiError);
    const abort = new DOMException('stopped', 'AbortError');
    expect(networkError(abort)).toBe(abort);
  });
});
