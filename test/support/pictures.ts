/** Pictures as tools write them (ImageMagick), each 7 pixels wide and 5 high, and hostile ones. */
import { crc32, deflateSync } from "node:zlib";

const read = (base64: string): Buffer => Buffer.from(base64, "base64");

/** Still ones of each kind and way to write it. */
export const PICTURES = {
  png: read(
    "iVBORw0KGgoAAAANSUhEUgAAAAcAAAAFAQMAAACzVGSbAAAAA1BMVEX/AAAZ4gk3AAAAC0lEQVQI12NggAEAAAoAAef42voAAAAASUVORK5CYII=",
  ),
  jpeg: read(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAFAAcDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCQA1j/2Q==",
  ),
  "progressive jpeg": read(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wgARCAAFAAcDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAVAQEBAAAAAAAAAAAAAAAAAAACA//aAAwDAQACEAMQAAABgG3/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAEFAn//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAEDAQE/AX//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAECAQE/AX//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAY/An//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/IX//2gAMAwEAAgADAAAAEPP/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAEDAQE/EH//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAECAQE/EH//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/EH//2Q==",
  ),
  webp: read("UklGRjQAAABXRUJQVlA4ICgAAACQAQCdASoHAAUAB0CWJaACdLoAA5gA/uUK+Cepco/+N48CvJdjoAAA"),
  "lossless webp": read("UklGRhwAAABXRUJQVlA4TA8AAAAvBgABAAcQ/Y/+ByKi/wEA"),
  "extended webp": read(
    "UklGRlgAAABXRUJQVlA4WAoAAAAQAAAABgAABAAAQUxQSAoAAAABB1DAiAhERP8DVlA4ICgAAACQAQCdASoHAAUAB0CWJaACdLoAA5gA/uUK+Cepco/+N48CvJdjoAAA",
  ),
  gif: read("R0lGODlhBwAFAPAAAP8AAAAAACH5BAAAAAAALAAAAAAHAAUAAAIFhI+puwUAOw=="),
} as const;

/** Moving ones. */
export const MOVING_PICTURES = {
  gif: read(
    "R0lGODlhBwAFAPAAAP8AAAAAACH5BAAKAAAAIf8LTkVUU0NBUEUyLjADAQAAACwAAAAABwAFAAACBYSPqbsFACH5BAAKAAAALAAAAAAHAAUAgAD//wAAAAIFhI+puwUAOw==",
  ),
  webp: read(
    "UklGRsQAAABXRUJQVlA4WAoAAAACAAAABgAABAAAQU5JTQYAAAD/////AABBTk1GSAAAAAAAAAAAAAYAAAQAAGQAAAJWUDggMAAAANABAJ0BKgcABQACADQloAJ0ugH4AAOwAP7wxAv/ILlhdcjX/yA/5Af8gP/48gAAAEFOTUZIAAAAAAAAAAAABgAABAAAZAAAAFZQOCAwAAAA1AEAnQEqBwAFAAAANCWgAnS6AfgAA7AA/vBF3/8btxhvwXf/I4/kcfyOP/kMgAAAUklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoHAAUAAgA0JaACdLoB+AADsAD+8MQL/yC5YXXI1/8gP+QH/ID/+PIAAAA=",
  ),
  png: writePng(7, 5, [["acTL", Buffer.from("0000000200000000", "hex")]]),
} as const;

/** A PNG of one bit a pixel, all alike: its bytes are few however many its pixels are. `between` stands before the pixels. */
export function writePng(width: number, height: number, between: readonly (readonly [string, Buffer])[] = []): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    ...[["IHDR", head] as const, ...between, ["IDAT", rows] as const, ["IEND", Buffer.alloc(0)] as const].map(
      writeChunk,
    ),
  ]);
}

/** The address of a picture within a page. */
export function toDataAddress(type: string, bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString("base64")}`;
}

function writeChunk([name, data]: readonly [string, Buffer]): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
