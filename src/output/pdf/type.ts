/**
 * Fonts of documents: two weights of one family, embedded as a subset.
 *
 * The standard fonts of PDF have only Western European letters. IBM Plex Sans has Latin, Greek and
 * Cyrillic, and digits of equal width.
 */
export interface Style {
  readonly font: "regular" | "bold";
  readonly size: number;
  /** Line height in points. */
  readonly leading: number;
  readonly color: string;
}

export const colors = {
  ink: "#17212b",
  soft: "#5f6b78",
  line: "#d3d9df",
  band: "#f2f4f6",
  DRAFT: "#8a5a00",
  PAID: "#1b6e3c",
  VOID: "#b3261e",
} as const;

/**
 * Whether text in a colour, `#1d4f91`, is legible on white paper.
 *
 * @source WCAG 2.2, contrast (minimum): 4.5 to 1, relative luminance
 */
export function isLegible(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channelPart = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channelPart <= 0.04045 ? channelPart / 12.92 : ((channelPart + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= 4.5;
}

export const styles = {
  title: { font: "bold", size: 22, leading: 26, color: colors.ink },
  name: { font: "bold", size: 10.5, leading: 15, color: colors.ink },
  body: { font: "regular", size: 9, leading: 13, color: colors.ink },
  strong: { font: "bold", size: 9, leading: 13, color: colors.ink },
  soft: { font: "regular", size: 9, leading: 13, color: colors.soft },
  small: { font: "regular", size: 8, leading: 12, color: colors.soft },
  total: { font: "bold", size: 10.5, leading: 18, color: colors.ink },
  due: { font: "bold", size: 12, leading: 26, color: colors.ink },
} as const satisfies Record<string, Style>;

/** Height of a capital letter as a fraction of the font size. */
const capitalShare = 0.698;

/** Baseline of a line of text whose box begins at `topY`, with capitals centred vertically. */
export function baselineOf(topY: number, { size, leading }: Style): number {
  return topY + (leading + capitalShare * size) / 2;
}

/** Paths of the font files by weight. */
export function fontFiles(): Readonly<Record<Style["font"], string>> {
  const { createRequire } = process.getBuiltinModule("node:module");
  const { resolve } = createRequire(import.meta.url);
  return {
    regular: resolve("#fonts/IBMPlexSans-Regular.ttf"),
    bold: resolve("#fonts/IBMPlexSans-SemiBold.ttf"),
  };
}
