/** Units of quantities that items may have. @source UN/ECE Recommendation 20 */
export const units = {
  C62: "one",
  H87: "piece",
  EA: "each",
  PR: "pair",
  SET: "set",
  DZN: "dozen",
  NAR: "number of articles",
  XPK: "package",
  XBX: "box",
  XPX: "pallet",
  LS: "lump sum",
  E48: "service unit",
  P1: "percent",
  SEC: "second",
  MIN: "minute",
  HUR: "hour",
  DAY: "day",
  WEE: "week",
  MON: "month",
  QAN: "quarter",
  ANN: "year",
  MGM: "milligram",
  GRM: "gram",
  KGM: "kilogram",
  TNE: "tonne",
  LBR: "pound",
  ONZ: "ounce",
  MMT: "millimetre",
  CMT: "centimetre",
  MTR: "metre",
  KMT: "kilometre",
  INH: "inch",
  FOT: "foot",
  YRD: "yard",
  SMI: "mile",
  CMK: "square centimetre",
  MTK: "square metre",
  FTK: "square foot",
  MLT: "millilitre",
  LTR: "litre",
  MTQ: "cubic metre",
  GLL: "US gallon",
  GLI: "imperial gallon",
  WTT: "watt",
  KWT: "kilowatt",
  KWH: "kilowatt hour",
  MWH: "megawatt hour",
  A99: "bit",
  AD: "byte",
  E34: "gigabyte",
} as const satisfies Record<string, string>;

export type Unit = keyof typeof units;

/** The unit of things that are counted. */
export const countedUnit = "C62";

/** What a person calls a unit of an e-invoice; its code where it has no name here. */
export function unitName(code: string): string {
  return Object.hasOwn(units, code) ? units[code as Unit] : code;
}
