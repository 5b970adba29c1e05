/** Facts about embedded fonts that the PDF library does not expose. */

/**
 * Draws text in place of another: the PDF gives the typed text when copied. The mark is set where
 * the text itself is written, since readers look for it in those coordinates.
 */
export function drawAs(doc: PDFKit.PDFDocument, typedText: string, draw: () => void): void {
  const writer = doc as unknown as { addContent(content: string): unknown };
  const write = writer.addContent;
  writer.addContent = (content) => {
    if (content === "BT") {
      writer.addContent = write;
      doc.markContent("Span", { actual: typedText } as object);
    }
    const drawnResult = write.call(doc, content);
    if (content === "BT") writer.addContent = endingWith;
    return drawnResult;
  };
  const endingWith = (content: string) => {
    const drawnResult = write.call(doc, content);
    if (content === "ET") {
      writer.addContent = write;
      doc.endMarkedContent();
    }
    return drawnResult;
  };
  draw();
}

/** Embedded font as represented in the PDF library; `font` is fontkit's object. */
interface EmbeddedFont {
  readonly font: {
    readonly directory: { readonly tables: Readonly<Record<string, object>> };
    /** Offsets of glyph outlines in a TrueType font. */
    readonly loca?: { readonly offsets: readonly number[] };
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): { readonly id: number };
  };
  /** Code points of each glyph, by glyph id. */
  readonly unicode: (number[] | undefined)[];
}

/** Characters without visible shape: spaces, joiners. */
const blank = /^[\s\p{Z}\u200c\u200d]$/u;

/**
 * Whether a font has an outline for a character; bitmap fonts have glyphs without outlines. The
 * outline itself is not read, as fontkit then forgets the code points of composed glyphs.
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
 * Code points of the ligatures of lam with alef, by the code point of alef. PDF readers reverse
 * right-to-left text, even inside a glyph, except for a single character that stands for both
 * letters; they split that one correctly.
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
      const ligature = first === 0x644 && rest.length === 0 ? lamAlef[second] : undefined;
      if (ligature !== undefined) unicode[glyph] = [ligature];
    }
  }
}
