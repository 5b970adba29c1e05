/** What has to be known of the fonts in a document beyond what the library offers. */

/**
 * Draws text that stands for another: what is copied from the paper is what was typed. It is marked
 * where the text itself is written, in whose coordinates readers look for it.
 */
export function drawAs(doc: PDFKit.PDFDocument, typed: string, draw: () => void): void {
  const writer = doc as unknown as { addContent(content: string): unknown };
  const write = writer.addContent;
  writer.addContent = (content) => {
    if (content === "BT") {
      writer.addContent = write;
      doc.markContent("Span", { actual: typed } as object);
    }
    const written = write.call(doc, content);
    if (content === "BT") writer.addContent = ending;
    return written;
  };
  const ending = (content: string) => {
    const written = write.call(doc, content);
    if (content === "ET") {
      writer.addContent = write;
      doc.endMarkedContent();
    }
    return written;
  };
  draw();
}

/** The font of a document as the library has it; `font` is fontkit's. */
interface EmbeddedFont {
  readonly font: {
    readonly directory: { readonly tables: Readonly<Record<string, object>> };
    /** Where the outlines of glyphs begin, those of TrueType. */
    readonly loca?: { readonly offsets: readonly number[] };
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): { readonly id: number };
  };
  /** By the number of a glyph, what it stands for. */
  readonly unicode: (number[] | undefined)[];
}

/** Of which nothing is seen: spaces, joiners. */
const blank = /^[\s\p{Z}\u200c\u200d]$/u;

/**
 * Whether a font has an outline for a character: one of pictures has glyphs without any. The outline
 * itself is not looked at, since fontkit then no longer knows what the parts of it stand for.
 */
export function canDraw(doc: PDFKit.PDFDocument, character: string): boolean {
  const { font } = (doc as unknown as { readonly _font: EmbeddedFont })._font;
  const codePoint = character.codePointAt(0) ?? 0;
  if (!font.hasGlyphForCodePoint(codePoint)) return false;
  if (blank.test(character) || font.directory.tables["CFF "] !== undefined) return true;
  const { offsets = [] } = font.loca ?? {};
  const { id } = font.glyphForCodePoint(codePoint);
  return (offsets[id + 1] ?? 0) > (offsets[id] ?? 0);
}

/**
 * Lam and alef are one glyph. Readers turn text from the right, those of a glyph too, but for a
 * character that stands for both: which they know, and take apart again.
 */
const lamAlef: Readonly<Record<number, number>> = {
  1570: 0xfef5,
  1571: 0xfef7,
  1573: 0xfef9,
  1575: 0xfefb,
};

export function nameLigatures(doc: PDFKit.PDFDocument): void {
  const { _fontFamilies } = doc as unknown as {
    readonly _fontFamilies: Readonly<Record<string, Partial<EmbeddedFont>>>;
  };
  for (const { unicode = [] } of Object.values(_fontFamilies)) {
    for (const [glyph, codePoints] of unicode.entries()) {
      const [first, second = 0, ...rest] = codePoints ?? [];
      const both = first === 0x644 && rest.length === 0 ? lamAlef[second] : undefined;
      if (both !== undefined) unicode[glyph] = [both];
    }
  }
}
