/** QR codes: the dark modules of a text. */
import encode from "qr";

/** A run of dark modules in a row; positions and lengths in modules. */
export interface DarkRun {
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

export interface QrCode {
  /** Count of modules of a side, with the quiet zone. */
  readonly size: number;
  readonly runs: readonly DarkRun[];
}

/** Light modules around a code, which readers need. */
const quietZone = 4;

/** Encodes a text, with error correction of level M. */
export function qrCode(text: string): QrCode {
  const rows = encode(text, "raw", { ecc: "medium", border: quietZone });
  const runs = rows.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? "#" : " "))
        .join("")
        .matchAll(/#+/g),
    ].map(({ index: x, 0: run }) => ({ x, y, length: run.length })),
  );
  return { size: rows.length, runs };
}
