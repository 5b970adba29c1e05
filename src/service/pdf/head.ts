/** Prints the head of the first page: title, sender, recipient and facts. */

import { printParagraph, type Sheet } from "../../output/pdf/paper-sheet.ts";
import type { Fact, Party, PrintedDocument } from "../../output/pdf/printed.ts";
import { colors, type Style, styles } from "../../output/pdf/type.ts";

/** Fraction of the width at which the right column begins. */
const splitShare = 0.6;
const gap = 24;

export function rightColumn(sheet: Sheet): number {
  return sheet.left + sheet.width * splitShare;
}

export function printHead(sheet: Sheet, printed: PrintedDocument): void {
  const topY = sheet.y;
  const right = rightColumn(sheet);
  const leftWidth = right - sheet.left - gap;
  const titleEnd = printTitle(sheet, printed, leftWidth);
  sheet.y = topY;
  const { logo } = printed.brand;
  if (logo !== undefined) {
    sheet.y += sheet.drawImage(logo, right, topY, { width: sheet.right - right, height: 52 }) + 12;
  }
  const senderEnd = printParty(sheet, printed.organisation, right, sheet.right - right, false);
  const blocksY = Math.max(titleEnd, senderEnd, topY + 96) + 18;
  const { parties } = printed;
  const partyWidth = (leftWidth - gap * (parties.length - 1)) / parties.length;
  const partyEnds = parties.map((party, index) => {
    sheet.y = blocksY;
    return printParty(sheet, party, sheet.left + index * (partyWidth + gap), partyWidth, true);
  });
  sheet.y = blocksY;
  partyEnds.push(printFacts(sheet, printed.facts, right));
  sheet.y = Math.max(...partyEnds) + 26;
  for (const { heading, text } of printed.intro) {
    if (heading !== undefined) printParagraph(sheet, heading, styles.strong, "H2");
    if (text !== "") printParagraph(sheet, text, styles.body);
    sheet.y += 12;
  }
}

/** Prints the title. @returns the vertical position of its end */
function printTitle(sheet: Sheet, { title, mark }: PrintedDocument, width: number): number {
  const style: Style = { ...styles.title, color: sheet.accent };
  const markStyle: Style = { ...styles.strong, size: 9, leading: 18 };
  const lines = sheet.wrap(title, width - (mark === undefined ? 0 : 70), style);
  const topY = sheet.y - 5;
  sheet.tag("H1", () => {
    sheet.putLines(lines, sheet.left, topY, style);
  });
  if (mark !== undefined) {
    const shownMark = sheet.words.say(mark);
    const inside = sheet.measure(shownMark, markStyle);
    const x = sheet.left + sheet.measure(lines[0] ?? "", style) + 14;
    const y = topY + (style.leading - markStyle.leading) / 2;
    sheet.frame(x, y, inside + 16, markStyle.leading, colors[mark]);
    sheet.tag("P", () => sheet.put(shownMark, x + 8, y, { ...markStyle, color: colors[mark] }));
  }
  return topY + lines.length * style.leading;
}

function printParty(
  sheet: Sheet,
  party: Party,
  x: number,
  width: number,
  isLabelled: boolean,
): number {
  const { soft, name, body } = styles;
  let { y } = sheet;
  if (isLabelled) {
    sheet.tag("P", () => sheet.put(party.label, x, y, soft));
    y += soft.leading + 2;
  } else y -= 2;
  sheet.tag("P", () => {
    const names = party.name === "" ? [] : sheet.wrap(party.name, width, name);
    y = sheet.putLines(names, x, y, name);
    const lines = party.lines.flatMap((line) => sheet.wrap(line, width, body));
    y = sheet.putLines(lines, x, y + 1, isLabelled ? body : soft);
  });
  return y;
}

function printFacts(sheet: Sheet, headFacts: readonly Fact[], x: number): number {
  const { soft, body, strong } = styles;
  const labelWidth = Math.max(0, ...headFacts.map(({ label }) => sheet.measure(label, soft))) + 14;
  let { y } = sheet;
  headFacts.forEach(({ label, value }, index) => {
    const style = index === 0 ? strong : body;
    sheet.tag("P", () => {
      sheet.put(label, x, y, soft);
      const lines = sheet.wrap(value, sheet.right - x - labelWidth, style);
      y = sheet.putLines(lines, x + labelWidth, y, style) + 2;
    });
  });
  return y;
}
