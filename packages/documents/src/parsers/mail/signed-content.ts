import { inflateSync } from 'node:zlib';
import { Constructed, fromBER, ObjectIdentifier, OctetString } from 'asn1js';

/** Kinds of content (Cryptographic Message Syntax) that need no key to be read. */
const signedData = '1.2.840.113549.1.7.2';
const compressedData = '1.2.840.113549.1.9.16.1.9';

/** A signed content can be signed once more. */
const maxLayers = 5;
/** Of all compressed parts of a mail together. */
const maxUnpackedBytes = 200 * 1024 * 1024;
/** Programs that write a mail while they sign it cut it into pieces of about a thousand bytes. */
const maxNodes = 200_000;

/**
 * What a file with a signature around it (`.p7m`) holds. Undefined for an encrypted one, for a signature alone, and for
 * other bytes. Whether the signature is valid is not said.
 */
export function signedContent(bytes: Uint8Array, unpacked = { bytes: 0 }): Uint8Array | undefined {
  let content: Uint8Array | undefined;
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const inner = unwrap(content ?? bytes, unpacked);
    if (inner === undefined) break;
    content = inner;
  }
  return content;
}

/** Whether a signed content is a part of a mail, with headers of its own. */
export function isMailPart(content: Uint8Array): boolean {
  return /^\s*(?:content-[\w-]+|mime-version):/iu.test(Buffer.from(content.subarray(0, 200)).toString('latin1'));
}

function unwrap(bytes: Uint8Array, unpacked: { bytes: number }): Uint8Array | undefined {
  const binary = withoutArmour(bytes);
  // A sequence. Anything else would be parsed in vain.
  if (binary[0] !== 0x30) return undefined;
  try {
    const read = fromBER(binary, { maxContentLength: binary.length, maxNodes, parseEmbedded: false });
    const [kind, body] = partsOf(read.result);
    const name = kind instanceof ObjectIdentifier ? kind.getValue() : '';
    if (name !== signedData && name !== compressedData) return undefined;
    const [, , enclosed] = partsOf(partsOf(body)[0]);
    const [octets] = partsOf(partsOf(enclosed)[1]);
    if (!(octets instanceof OctetString)) return undefined;
    const content = new Uint8Array(octets.getValue());
    return name === signedData ? content : inflated(content, unpacked);
  } catch {
    return undefined;
  }
}

/** Counts what all parts of a mail unpack to. A part that fails takes the rest, so that the next ones do not try in vain as well. */
function inflated(content: Uint8Array, unpacked: { bytes: number }): Uint8Array {
  const maxOutputLength = maxUnpackedBytes - unpacked.bytes;
  unpacked.bytes = maxUnpackedBytes;
  const result = inflateSync(content, { maxOutputLength });
  unpacked.bytes -= maxOutputLength - result.length;
  return result;
}

function partsOf(block: unknown): readonly unknown[] {
  return block instanceof Constructed ? block.valueBlock.value : [];
}

/** Some programs write the bytes in base64, with or without the lines of PEM around it. */
function withoutArmour(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.subarray(0, 100)).toString('latin1');
  if (!/^\s*(?:-----BEGIN [A-Z0-9 ]+-----|MI[A-Za-z0-9+/]{20})/u.test(start)) return bytes;
  return Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replaceAll(/-----[A-Z0-9 ]+-----/gu, ''),
    'base64',
  );
}
