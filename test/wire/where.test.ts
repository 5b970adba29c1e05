/** What the where language accepts, what it refuses and in which words, and what it means. */
import { describe, expect, test } from "vitest";
import { type AcctError, RefusedError } from "../../src/resources/errors.ts";
import { compareText, fold } from "../../src/wire/fold.ts";
import { quotedText } from "../../src/wire/query/scanner.ts";
import type { Comparison, FilterField, Where } from "../../src/wire/query/tree.ts";
import {
  parseWhere,
  whereCharactersMax,
  whereDepthMax,
  whereTermsMax,
} from "../../src/wire/query/where.ts";
import { fc, isEveryCase, runs } from "../support/properties.ts";
import { matches } from "./matches.ts";

const guid = "8d1a4c0e-93f7-4d7e-a1a4-0d1b2c3e4f50";
const otherGuid = "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11";

const statuses = ["DRAFT", "SUBMITTED", "AUTHORISED", "PAID", "VOIDED"];

const fields: readonly FilterField[] = [
  { path: "InvoiceID", kind: "id" },
  { path: "Contact.ContactID", kind: "id" },
  { path: "Type", kind: "choice", choices: ["ACCREC", "ACCPAY"] },
  { path: "Status", kind: "choice", choices: statuses },
  { path: "Region", kind: "choice" },
  { path: "Name", kind: "text" },
  { path: "Contact.Name", kind: "text" },
  { path: "IsReconciled", kind: "boolean" },
  { path: "SentToContact", kind: "boolean" },
  { path: "PaymentTerms", kind: "integer" },
  { path: "Date", kind: "date" },
  { path: "DueDate", kind: "date" },
  { path: "UpdatedDateUTC", kind: "timestamp" },
  { path: "Total", kind: "decimal", scale: 2 },
  { path: "AmountDue", kind: "decimal", scale: 2 },
  { path: "CurrencyRate", kind: "decimal", scale: 6 },
];

const fieldsByName = new Map(fields.map((field) => [field.path.toLowerCase(), field]));

function field(path: string): FilterField {
  const found = fieldsByName.get(path.toLowerCase());
  if (!found) throw new Error(`the tests have no field ${path}`);
  return found;
}

function parse(text: string): Where {
  return parseWhere(text, "Invoice", (path) => fieldsByName.get(path.join(".").toLowerCase()));
}

/** A tree in one line, so that a table shows what became of a text. */
function shown(where: Where): string {
  switch (where.op) {
    case "constant":
      return String(where.value);
    case "not":
      return `not(${shown(where.arg)})`;
    case "compare":
      return `${where.field.path} ${where.cmp} ${JSON.stringify(where.value)}`;
    case "compareFields":
      return `${where.left.path} ${where.cmp} ${where.right.path}`;
    case "text":
      return `${where.field.path} ${where.test} ${JSON.stringify(where.value)}`;
    default:
      return `${where.op}(${where.args.map(shown).join(", ")})`;
  }
}

function refusal(text: string): string {
  try {
    parse(text);
  } catch (error) {
    expect(error).toBeInstanceOf(RefusedError);
    expect((error as AcctError).code).toBe("QueryParseException");
    return (error as AcctError).message;
  }
  throw new Error(`${text} was accepted`);
}

describe("comparisons in a where clause", () => {
  test.each([
    ['Status=="AUTHORISED"', 'Status = "AUTHORISED"'],
    ['Status = "authorised"', 'Status = "AUTHORISED"'],
    ['status!="PAID"', 'Status != "PAID"'],
    ['Status<>"PAID"', 'Status != "PAID"'],
    ["Status=='PAID'", 'Status = "PAID"'],
    ['"PAID"==Status', 'Status = "PAID"'],
    ['Status.ToString()=="PAID"', 'Status = "PAID"'],
    ['Status.ToLower().Trim()=="paid"', 'Status = "PAID"'],
    ['Region=="North"', 'Region equals "North"'],
    ['Region.StartsWith("N")', 'Region startsWith "N"'],
    ['Name=="Kiln"', 'Name equals "Kiln"'],
    ['Name!="Kiln"', 'not(Name equals "Kiln")'],
    ['Name<"M"', 'Name < "M"'],
    ['"M"<=name', 'Name >= "M"'],
    ['Contact.Name="Acme"', 'Contact.Name equals "Acme"'],
    ['CONTACT . NAME = "Acme"', 'Contact.Name equals "Acme"'],
    ["Total>1", "Total > 100"],
    ["Total>=-1.5", "Total >= -150"],
    ["100.00<Total", "Total > 10000"],
    ["CurrencyRate=1.25", "CurrencyRate = 1250000"],
    ["PaymentTerms<=030", "PaymentTerms <= 30"],
    ["AmountDue<Total", "AmountDue < Total"],
    ["Date==DueDate", "Date = DueDate"],
    ["Name != Contact.Name", "Name != Contact.Name"],
    ["Status==Name", "Status = Name"],
    ["InvoiceID!=Contact.ContactID", "InvoiceID != Contact.ContactID"],
    ["(Total)>(5)", "Total > 500"],
  ])("the comparison %s is parsed", (text, expected) => expect(shown(parse(text))).toBe(expected));
});

describe("literals in a where clause", () => {
  test.each([
    [`InvoiceID==Guid("${guid}")`, `InvoiceID = "${guid}"`],
    [`invoiceid=guid("${guid.toUpperCase()}")`, `InvoiceID = "${guid}"`],
    [`InvoiceID=Guid( '{${guid}}' )`, `InvoiceID = "${guid}"`],
    [`InvoiceID="${guid.toUpperCase()}"`, `InvoiceID = "${guid}"`],
    [`InvoiceID.ToString()=="${guid}"`, `InvoiceID = "${guid}"`],
    [`InvoiceID.ToString().ToUpper()!="${guid}"`, `InvoiceID != "${guid}"`],
    [`Guid("${guid}").ToString()==InvoiceID`, `InvoiceID = "${guid}"`],
    ["DueDate<DateTime(2026,3,1)", 'DueDate < "2026-03-01"'],
    ["DueDate < datetime ( 2026 , 03 , 01 )", 'DueDate < "2026-03-01"'],
    ["DueDate==DateTime(2026,3,1,0,0,0)", 'DueDate = "2026-03-01"'],
    ["DueDate==DateTime(2024,02,29)", 'DueDate = "2024-02-29"'],
    ["DueDate==DateTime(0001,1,1)", 'DueDate = "0001-01-01"'],
    ['DueDate==DateTime.Parse("2026-03-01")', 'DueDate = "2026-03-01"'],
    ['DueDate==datetime.parse("2026-03-01T00:00:00Z")', 'DueDate = "2026-03-01"'],
    ['DueDate=="2026-03-01"', 'DueDate = "2026-03-01"'],
    ["UpdatedDateUTC>=DateTime(1970,1,1,0,0,1)", "UpdatedDateUTC >= 1000"],
    ['UpdatedDateUTC>DateTime.Parse("1970-01-01T01:00:00.25+01:00")', "UpdatedDateUTC > 250"],
    ['UpdatedDateUTC>DateTime.Parse("1970-01-01 00:00-0130")', "UpdatedDateUTC > 5400000"],
    ["IsReconciled==true", "IsReconciled = true"],
    ["IsReconciled=False", "IsReconciled = false"],
    ['IsReconciled="True"', "IsReconciled = true"],
    ["IsReconciled!=0", "IsReconciled != false"],
    ["Name==null", "Name = null"],
    ["Total != NULL", "Total != null"],
    ["null==Status", "Status = null"],
    ["Total<null", "false"],
    ["InvoiceID>null", "false"],
    ['Name=="say \\"hi\\" \\\\ there"', 'Name equals "say \\"hi\\" \\\\ there"'],
    ['Name=="C:\\temp"', 'Name equals "C:\\\\temp"'],
    ["Name=='it\\'s'", 'Name equals "it\'s"'],
    ['Name=="it\'s"', 'Name equals "it\'s"'],
    ['Name=="Pōneke 陶"', 'Name equals "Pōneke 陶"'],
    ['Name=="KILN".ToLower()', 'Name equals "KILN"'],
    ['Name==" kiln ".Trim()', 'Name equals "kiln"'],
  ])("the where clause %s is parsed with its literals", (text, expected) =>
    expect(shown(parse(text))).toBe(expected),
  );
});

describe("a where value beyond the field's range is compared exactly", () => {
  test.each([
    ["Total>1.005", "Total > 100"],
    ["Total>=1.005", "Total > 100"],
    ["Total<1.005", "Total <= 100"],
    ["Total<=1.005", "Total <= 100"],
    ["1.005<Total", "Total > 100"],
    ["Total>-1.005", "Total > -101"],
    ["Total<-1.005", "Total <= -101"],
    ["Total=1.005", "false"],
    ["Total!=1.005", "true"],
    ["Total=1.000", "Total = 100"],
    ["PaymentTerms>30.5", "PaymentTerms > 30"],
    ["Total<99999999999999999999", "Total != null"],
    ["Total>=99999999999999999999", "false"],
    ["Total>-99999999999999999999", "Total != null"],
    ["Total<=-99999999999999999999", "false"],
    ["Total=99999999999999999999", "false"],
    ["Total!=99999999999999999999", "true"],
    ["Date>DateTime(2026,3,1,10,0,0)", 'Date > "2026-03-01"'],
    ["Date>=DateTime(2026,3,1,10,0,0)", 'Date > "2026-03-01"'],
    ["Date<DateTime(2026,3,1,10,0,0)", 'Date <= "2026-03-01"'],
    ["Date==DateTime(2026,3,1,10,0,0)", "false"],
    ["Date!=DateTime(2026,3,1,10,0,0)", "true"],
    ['Date>=DateTime.Parse("2026-03-01T00:00:00+13:00")', 'Date > "2026-02-28"'],
    ['UpdatedDateUTC>=DateTime.Parse("1970-01-01T00:00:00.0000001")', "UpdatedDateUTC > 0"],
    ['Status=="SHIPPED"', "false"],
    ['Status!="SHIPPED"', "true"],
  ])("the where clause %s is compared exactly, as %s", (text, expected) =>
    expect(shown(parse(text))).toBe(expected),
  );
});

describe("methods in a where clause", () => {
  test.each([
    ['Name.Contains("kiln")', 'Name contains "kiln"'],
    ['name.contains ( "kiln" )', 'Name contains "kiln"'],
    ['Name.StartsWith("a")', 'Name startsWith "a"'],
    ['Name.EndsWith("a")', 'Name endsWith "a"'],
    ['Name.ToLower().Contains("kiln")', 'Name contains "kiln"'],
    ['(Name.ToLower()).Contains("KILN".ToLower())', 'Name contains "KILN"'],
    ['Contact.Name.ToUpper().StartsWith("A")', 'Contact.Name startsWith "A"'],
    ['Name.Contains("x")==true', 'Name contains "x"'],
    ['Name.Contains("x")=false', 'not(Name contains "x")'],
    ['Name.Contains("x")!=true', 'not(Name contains "x")'],
    ['true==Name.Contains("x")', 'Name contains "x"'],
    ['Status.StartsWith("auth")', 'Status = "AUTHORISED"'],
    [
      'Status.Contains("i")',
      'or(Status = "SUBMITTED", Status = "AUTHORISED", Status = "PAID", Status = "VOIDED")',
    ],
    ['Status.Contains("d")', "Status != null"],
    ['Status.Contains("zz")', "false"],
    ['Status<"b"', 'Status = "AUTHORISED"'],
    ['"Kiln".Contains("IL")', "true"],
  ])("the where clause %s is parsed with its methods", (text, expected) =>
    expect(shown(parse(text))).toBe(expected),
  );
});

describe("AND, OR and precedence in a where clause", () => {
  test.each([
    ["", "true"],
    [" \t\r\n", "true"],
    ["IsReconciled", "IsReconciled = true"],
    ["!IsReconciled", "IsReconciled != true"],
    ["NOT NOT IsReconciled", "IsReconciled = true"],
    ['NOT Status=="PAID"', 'Status != "PAID"'],
    ['!(Status=="PAID")', 'Status != "PAID"'],
    ["!IsReconciled==true", "IsReconciled != true"],
    ["!(AmountDue<Total)", "not(AmountDue < Total)"],
    ["!(AmountDue=Total)", "AmountDue != Total"],
    ["Total>1 OR Total<2 AND Total=3", "or(Total > 100, and(Total < 200, Total = 300))"],
    ["Total>1 AND Total<2 OR Total=3", "or(and(Total > 100, Total < 200), Total = 300)"],
    ["(Total>1 OR Total<2) AND Total=3", "and(or(Total > 100, Total < 200), Total = 300)"],
    ["NOT Total>1 and IsReconciled", "and(not(Total > 100), IsReconciled = true)"],
    ["NOT(Total>1 || IsReconciled)", "not(or(Total > 100, IsReconciled = true))"],
    ["Total=1||(Total=2 or Total=3)", "or(Total = 100, Total = 200, Total = 300)"],
    ["Total=1&&Total=2 AnD Total=3", "and(Total = 100, Total = 200, Total = 300)"],
    ["1==1 AND Total=1", "Total = 100"],
    ["1==2 OR Total=1", "Total = 100"],
    ["1=1.0 OR Total=1", "true"],
    ["false AND Total=1", "false"],
    ['"a"=="Á"', "true"],
    ["null==null", "true"],
    ['null=="a"', "false"],
    ['Status=="SHIPPED" OR Status=="PAID"', 'Status = "PAID"'],
    ["(((Total=1)))", "Total = 100"],
  ])('the where clause "%s" is parsed as %s', (text, expected) =>
    expect(shown(parse(text))).toBe(expected),
  );
});

test("the where examples of the specification are parsed", () => {
  const open = 'Type=="ACCREC" AND Status=="AUTHORISED" AND DueDate<DateTime(2026,3,1)';
  expect(shown(parse(open))).toBe(
    'and(Type = "ACCREC", Status = "AUTHORISED", DueDate < "2026-03-01")',
  );
  expect(shown(parse(`InvoiceID=guid("${guid}") OR InvoiceID=guid("${otherGuid}")`))).toBe(
    `or(InvoiceID = "${guid}", InvoiceID = "${otherGuid}")`,
  );
  expect(shown(parse('Name!=null&&Name.StartsWith("a")'))).toBe(
    'and(Name != null, Name startsWith "a")',
  );
});

describe("refused where clauses", () => {
  test.each([
    ["Total==", 8, "a field or a value", "nothing more"],
    ["Total=>5", 7, "a field or a value", "'>'"],
    ["Total>1 Total<5", 9, "AND, OR or the end", "'Total'"],
    ["Total>1>2", 8, "AND, OR or the end", "'>'"],
    ["(Total>1", 9, "')'", "nothing more"],
    ["Total>1)", 8, "AND, OR or the end", "')'"],
    ["Total>1 & IsReconciled", 9, "AND, OR or the end", "'&'"],
    ["Total>1 AND", 12, "a field or a value", "nothing more"],
    ["Name==“x”", 7, "a field or a value", "'“'"],
    ["Name==5", 7, "a text in quotes for Name", "'5'"],
    ['Total>"5"', 7, "a number for Total", '"5"'],
    ["Total>DateTime(2026,1,1)", 7, "a number for Total", "'DateTime(2026,1,1)'"],
    ["Status==true", 9, "a text in quotes for Status", "'true'"],
    ["IsReconciled==2", 15, "true or false for IsReconciled", "'2'"],
    ["IsReconciled<true", 13, "= or != for IsReconciled", "'<'"],
    ['Date>"yesterday"', 6, "DateTime(year, month, day) for Date", '"yesterday"'],
    ["Date>5", 6, "DateTime(year, month, day) for Date", "'5'"],
    ["Date>DateTime(2026,13,1)", 6, "a time that exists", "'DateTime(2026,13,1)'"],
    ["Date>DateTime(2026,2,29)", 6, "a time that exists", "'DateTime(2026,2,29)'"],
    ["Date>DateTime(2026,2,0)", 6, "a time that exists", "'DateTime(2026,2,0)'"],
    ["Date>DateTime(0,1,1)", 6, "a time that exists", "'DateTime(0,1,1)'"],
    ["Date>DateTime(2026,1,1,24,0,0)", 6, "a time that exists", "'DateTime(2026,1,1,24,0,0)'"],
    ["Date>DateTime(2026,1)", 21, "','", "')'"],
    ["Date>DateTime(2026,1,1,5)", 25, "','", "')'"],
    ["Date>DateTime(-2026,1,1)", 15, "a year", "'-2026'"],
    ["Date>DateTime(2026,1.5,1)", 20, "a month", "'1.5'"],
    [
      'Date>DateTime.Parse("1/2/2026")',
      21,
      "a time in quotes such as 2026-03-31 or 2026-03-31T10:20:30Z",
      '"1/2/2026"',
    ],
    [
      'Date>DateTime.Parse("0001-01-01T00:00+01:00")',
      21,
      "a time in quotes such as 2026-03-31 or 2026-03-31T10:20:30Z",
      '"0001-01-01T00:00+01:00"',
    ],
    ['InvoiceID==Guid("abc")', 17, "a GUID in quotes", '"abc"'],
    [`InvoiceID==Guid(${guid})`, 17, "a GUID in quotes", "'8'"],
    ['InvoiceID=="abc"', 12, 'Guid("…") for InvoiceID', '"abc"'],
    [`InvoiceID>Guid("${guid}")`, 10, "= or != for InvoiceID", "'>'"],
    [`Name==Guid("${guid}")`, 7, `a text in quotes for Name`, `'Guid("${guid}")'`],
    ['InvoiceID.Contains("8d")', 1, "a text before Contains", "'InvoiceID'"],
    ['Total.ToString()=="5"', 1, "a text before ToString", "'Total'"],
    ['Date.ToString()=="x"', 1, "a text before ToString", "'Date'"],
    ["Name.Contains(5)", 15, "a text in quotes for Contains", "'5'"],
    ["Name.Contains(Contact.Name)", 15, "a text in quotes for Contains", "'Contact.Name'"],
    ["Name.Contains()", 15, "a field or a value", "')'"],
    ['Name.Contains("a")=="b"', 21, "true or false", '"b"'],
    ['Name.Contains("a")<true', 19, "= or !=", "'<'"],
    ["(Total>1)==(Total>2)", 12, "true or false", "'(Total>2)'"],
    [
      'Name.Reverse()=="a"',
      6,
      "Contains, StartsWith, EndsWith, ToLower, ToUpper, Trim or ToString",
      "'Reverse'",
    ],
    ['Name.ToLower().Length=="a"', 22, "'('", "'=='"],
    ["Sum(Total)>5", 1, "a field, Guid or DateTime", "'Sum'"],
    ["AmountDue<Date", 11, "a value or field of its kind for AmountDue", "'Date'"],
    ["Total<CurrencyRate", 7, "a value or field of its kind for Total", "'CurrencyRate'"],
    ["Date<UpdatedDateUTC", 6, "a value or field of its kind for Date", "'UpdatedDateUTC'"],
    ['1=="a"', 4, "a value of the same kind", '"a"'],
    ["Total.=5", 7, "a name after '.'", "'='"],
    ["Total", 1, "a comparison or a boolean field", "'Total'"],
    ["Total AND IsReconciled", 1, "a comparison or a boolean field", "'Total'"],
    ["IsReconciled OR NOT Name", 21, "a comparison or a boolean field", "'Name'"],
    ["5", 1, "a comparison or a boolean field", "'5'"],
    ["Total> AND IsReconciled", 8, "a field or a value", "'AND'"],
    ["or Total>1", 1, "a field or a value", "'or'"],
  ])('the where clause "%s" is refused at position %i', (text, position, expected, found) => {
    const message = `At position ${position} of where, ${expected} was expected but ${found} was found.`;
    expect(refusal(text)).toBe(message);
  });

  test.each([
    ["Foo==1", "No property or field 'Foo' exists in type 'Invoice'"],
    ["Contact.Foo==1", "No property or field 'Contact.Foo' exists in type 'Invoice'"],
    ["Name.Length>3", "No property or field 'Name.Length' exists in type 'Invoice'"],
    ["__proto__==1", "No property or field '__proto__' exists in type 'Invoice'"],
    ["DateTime.Now<Date", "No property or field 'DateTime.Now' exists in type 'Invoice'"],
    ['Name=="x', 'At position 7 of where, a text starts with " and does not end.'],
    ['Name=="a\0"', "At position 9 of where, there is a character that no text can hold."],
    ['Name=="\ud800"', "At position 8 of where, there is a character that no text can hold."],
    [`Total>${"9".repeat(101)}`, "At position 7 of where, a number has more than 100 digits."],
  ])("the where clause %j is refused", (text, message) => expect(refusal(text)).toBe(message));

  test("the error of a long where clause quotes its start, without control characters", () => {
    const message = refusal(`Total>"\u001b[2J${"x".repeat(5000)}"`);
    expect(message.length).toBeLessThan(200);
    expect(message).not.toContain("\u001b");
    expect(refusal("x".repeat(5000)).length).toBeLessThan(200);
  });
});

describe("limits of a where clause", () => {
  const term = `InvoiceID=guid("${guid}")`;

  test("a where clause of five hundred ids joined by OR is accepted", () => {
    const where = parse(Array(500).fill(`(${term})`).join(" OR "));
    expect(where.op === "or" && where.args.length).toBe(500);
  });

  test("a where clause with too many conditions is refused", () => {
    expect(() => parse(Array(whereTermsMax).fill(term).join(" OR "))).not.toThrow();
    expect(
      refusal(
        Array(whereTermsMax + 1)
          .fill(term)
          .join(" OR "),
      ),
    ).toMatch(/more than 800 conditions are joined\.$/);
  });

  test("a where condition that expands to several conditions counts as several", () => {
    expect(refusal(Array(300).fill('Status.Contains("i")').join(" OR "))).toMatch(/are joined\.$/);
  });

  test("a where clause with parentheses or arguments nested too deep is refused", () => {
    const nested = (depth: number) => `${"(".repeat(depth)}Total=1${")".repeat(depth)}`;
    expect(shown(parse(nested(whereDepthMax)))).toBe("Total = 100");
    expect(refusal(nested(whereDepthMax + 1))).toMatch(/nested more than 64 deep\.$/);
    expect(refusal("(".repeat(60_000))).toMatch(/nested more than 64 deep\.$/);
    expect(refusal('Name.Contains("a".Contains('.repeat(1000))).toMatch(/nested more than 64 deep/);
  });

  test("a where clause that is too long is refused", () => {
    expect(refusal("(".repeat(100_000))).toBe(
      "The text of where is 100000 characters long, and at most 65536 are accepted.",
    );
    expect(() => parse("Total=1".padEnd(whereCharactersMax))).not.toThrow();
  });

  test("repeated NOT in a where clause does not count as nesting", () => {
    expect(shown(parse(`${"!".repeat(60_000)}IsReconciled`))).toBe("IsReconciled = true");
  });
});

describe("evaluation of a where clause", () => {
  const record = new Map<string, unknown>([
    ["InvoiceID", guid],
    ["Status", "PAID"],
    ["Name", "Café Kiln"],
    ["IsReconciled", true],
    ["Date", "2026-03-01"],
    ["DueDate", "2026-03-20"],
    ["UpdatedDateUTC", Date.UTC(2026, 2, 1, 10)],
    ["Total", 9200],
    ["AmountDue", 0],
    ["Contact.Name", null],
  ]);

  test.each([
    ['Name=="CAFE KILN"', true],
    ['Name.Contains("é k")', true],
    ['Name.StartsWith("cafe")', true],
    ['Name.EndsWith("Kil")', false],
    ['Name<"cafz"', true],
    ["Total==92", true],
    ["Total>91.999", true],
    ["AmountDue<Total", true],
    ["AmountDue==0", true],
    ["Date<DueDate", true],
    ["UpdatedDateUTC>DateTime(2026,3,1)", true],
    // A missing value.
    ['Contact.Name=="a"', false],
    ['Contact.Name!="a"', true],
    ['Contact.Name<"a"', false],
    ['Contact.Name>="a"', false],
    ['Contact.Name.Contains("")', false],
    ['!Contact.Name.Contains("")', true],
    ["Contact.Name==null", true],
    ["Contact.Name!=null", false],
    ['Contact.Name!=null && Contact.Name.StartsWith("a")', false],
    ["SentToContact", false],
    ["SentToContact==false", false],
    ["!SentToContact", true],
    ["Contact.Name==Name", false],
    ["Contact.Name!=Name", true],
    ["Contact.Name<Name", false],
    ["Contact.ContactID==Contact.ContactID", true],
    ["CurrencyRate<99999999999999999999", false],
  ])("the where clause %s on the sample record is %s", (text, expected) => {
    expect(matches(parse(text), (path) => record.get(path))).toBe(expected);
  });
});

describe("text folded for comparison", () => {
  test.each([
    ["Kiln", "kiln"],
    ["", ""],
    ["Pōneke CAFÉ", "poneke cafe"],
    ["Ｋ", "ｋ"],
    ["İstanbul", "istanbul"],
    ["ΟΔΟΣ", "οδοσ"],
    ["Ёлка", "елка"],
    ["ガキ", "ガキ"],
    ["हिन्दी", "हिन्दी"],
    ["각", "각"],
  ])('the text "%s" is folded to "%s"', (text, folded) => expect(fold(text)).toBe(folded));

  test("case folding twice changes nothing, for every character", () => {
    // In the short run some of every block.
    for (let point = 0; point <= 0x10ffff; point += isEveryCase ? 1 : 13) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const once = fold(String.fromCodePoint(point));
      if (fold(once) !== once) expect.fail(`U+${point.toString(16)} folds to ${once}`);
    }
  });

  test("composed and decomposed accents fold to the same text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const once = fold(text);
        expect(fold(once)).toBe(once);
        expect(fold(text.normalize("NFD"))).toBe(once);
        expect(fold(text.normalize("NFC"))).toBe(once);
      }),
    );
  });
});

test("texts in a where clause are ordered by their UTF-8 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test("a quoted text of a where clause is parsed back unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(!text.includes("\0"));
      const equals = { op: "text", field: field("Name"), test: "equals", value: text };
      expect(parse(`Name==${quotedText(text)}`)).toEqual(equals);
    }),
  );
});

// -------------------------------------------------------------------------------------------------
// Properties

const scraps = fc.constantFrom(
  ..."( ) . , = == != <> < <= > >= ! && || & | \" ' \\ - 1 2026 1.5 true null AND or NOT".split(
    " ",
  ),
  ...["Total", "Name", "Status", "IsReconciled", "Date", "InvoiceID", "Contact", "Foo", " "],
  ...["Guid", "DateTime", "Parse", "Contains", "ToLower", '"kiln"', `"${guid}"`, "é", "\u0000"],
);

test("every refused where clause gets one sentence as its reason", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(scraps, { maxLength: 30 }).map((words) => words.join("")),
    fc.array(scraps, { maxLength: 30 }).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(text, (source) => {
      try {
        matches(parse(source), () => null);
      } catch (error) {
        expect(error).toBeInstanceOf(RefusedError);
        expect((error as AcctError).code).toBe("QueryParseException");
        expect((error as AcctError).message).toMatch(/^\P{C}+$/u);
      }
    }),
    { numRuns: runs(3000) },
  );
});

const sampleTexts = ["", "kiln", "Kiln", "KILN 2", "é", "e", "İ", 'a "b" \\', "陶", "it's", "z"];
const sampleNumbers = [-201, -101, -100, -1, 0, 1, 99, 100, 101, 1_000_000];
const sampleDates = ["2025-12-31", "2026-01-01", "2026-02-28", "2026-03-01"];

/** The values of a field that the properties try, in stored form. */
function samples(of: FilterField): readonly (string | number | boolean)[] {
  switch (of.kind) {
    case "id":
      return [guid, otherGuid];
    case "boolean":
      return [true, false];
    case "choice":
      return of.choices ?? ["North", "south"];
    case "text":
      return sampleTexts;
    case "date":
      return sampleDates;
    case "timestamp":
      return [0, 1000, Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 1, 1, 2, 3)];
    default:
      return sampleNumbers;
  }
}

const record = fc.record(
  Object.fromEntries(
    fields.map((of) => [of.path, fc.option(fc.constantFrom(...samples(of)))] as const),
  ),
);

const equalities: readonly Comparison[] = ["=", "!="];
const every: readonly Comparison[] = [...equalities, "<", "<=", ">", ">="];

const leaf: fc.Arbitrary<Where> = fc.constantFrom(...fields).chain((of) => {
  const folded = of.kind === "text" || of.path === "Region";
  const orders = of.kind !== "id" && of.kind !== "boolean" && of.kind !== "choice";
  const compare = fc
    .tuple(
      fc.constantFrom(...(folded ? every.slice(2) : orders ? every : equalities)),
      fc.constantFrom(...samples(of)),
    )
    .map(([cmp, value]): Where => ({ op: "compare", field: of, cmp, value }));
  const compareNull = fc
    .constantFrom(...equalities)
    .map((cmp): Where => ({ op: "compare", field: of, cmp, value: null }));
  const peers = fields.filter((peer) => peer.kind === of.kind && peer.scale === of.scale);
  const compareFields = fc
    .tuple(fc.constantFrom(...(orders ? every : equalities)), fc.constantFrom(...peers))
    .map(([cmp, right]): Where => ({ op: "compareFields", left: of, cmp, right }));
  const text = fc
    .tuple(
      fc.constantFrom(
        "equals" as const,
        "contains" as const,
        "startsWith" as const,
        "endsWith" as const,
      ),
      fc.constantFrom(...sampleTexts),
    )
    .map(([test, value]): Where => ({ op: "text", field: of, test, value }));
  const kinds = [compare, compareNull, compareFields];
  return fc.oneof(...kinds, ...(of.kind === "text" || of.kind === "choice" ? [text] : []));
});

const tree = fc.letrec<{ where: Where }>((tie) => ({
  where: fc.oneof(
    { maxDepth: 4, depthIdentifier: "where" },
    leaf,
    fc.boolean().map((value): Where => ({ op: "constant", value })),
    tie("where").map((arg): Where => ({ op: "not", arg })),
    fc
      .tuple(
        fc.constantFrom("and" as const, "or" as const),
        fc.array(tie("where"), { minLength: 2, maxLength: 4 }),
      )
      .map(([op, args]): Where => ({ op, args })),
  ),
})).where;

/** Answers, for the printer, one of several spellings; each call may answer another. */
type Choose = <T>(...spellings: readonly T[]) => T;

/** Writes a tree in the language, with no more parentheses than its precedence needs. */
function written(where: Where, choose: Choose): string {
  const space = () => choose("", " ");
  const path = (of: FilterField) => choose(of.path, of.path.toLowerCase(), of.path.toUpperCase());
  const sign = (cmp: Comparison) =>
    space() + (cmp === "=" ? choose("=", "==") : cmp === "!=" ? choose("!=", "<>") : cmp) + space();
  switch (where.op) {
    case "constant":
      return where.value ? choose("true", "1==1", "True") : choose("false", "1>2");
    case "and":
    case "or": {
      const word =
        where.op === "and" ? choose("&&", " AND ", " and ") : choose("||", " OR ", " Or ");
      const loose = (arg: Where) => where.op === "and" && arg.op === "or";
      return where.args
        .map((arg) => (loose(arg) ? `(${written(arg, choose)})` : written(arg, choose)))
        .join(word);
    }
    case "not": {
      const { arg } = where;
      const single = arg.op !== "and" && arg.op !== "or";
      const not = choose("!", "NOT ", "not ");
      return single ? not + written(arg, choose) : `${not}(${written(arg, choose)})`;
    }
    case "compareFields":
      return path(where.left) + sign(where.cmp) + path(where.right);
    case "text": {
      const on = path(where.field) + choose("", ".ToLower()", ".Trim().ToString()");
      const value = quotedText(where.value);
      return where.test === "equals"
        ? on + sign("=") + value
        : `${on}.${where.test}(${value})${choose("", "==true", "!=false")}`;
    }
    case "compare": {
      const value = literal(where.field, where.value, choose);
      const { cmp } = where;
      const mirror: Record<Comparison, Comparison> = {
        "=": "=",
        "!=": "!=",
        "<": ">",
        "<=": ">=",
        ">": "<",
        ">=": "<=",
      };
      return choose(
        path(where.field) + sign(cmp) + value,
        value + sign(mirror[cmp]) + path(where.field),
      );
    }
  }
}

function literal(of: FilterField, value: string | number | boolean | null, choose: Choose): string {
  if (value === null) return choose("null", "NULL");
  switch (of.kind) {
    case "id":
      return choose(`Guid("${value}")`, `guid("${String(value).toUpperCase()}")`, `"${value}"`);
    case "boolean":
      return choose(String(value), `"${value}"`, value ? "1" : "0");
    case "date": {
      const [year, month, day] = String(value).split("-");
      return choose(
        `DateTime(${year},${month},${day})`,
        `DateTime( ${year}, ${Number(month)}, ${Number(day)}, 0, 00, 0 )`,
        `DateTime.Parse("${value}")`,
        `"${value}T00:00:00Z"`,
      );
    }
    case "timestamp": {
      const iso = new Date(Number(value)).toISOString();
      const parts = iso.slice(0, 19).split(/[-T:]/).join(",");
      return choose(`DateTime(${parts})`, `DateTime.Parse("${iso}")`);
    }
    case "integer":
    case "decimal": {
      const scale = of.scale ?? 0;
      const digits = String(Math.abs(Number(value))).padStart(scale + 1, "0");
      const cut = digits.length - scale;
      const point = scale > 0 ? "." : "";
      return (Number(value) < 0 ? "-" : "") + digits.slice(0, cut) + point + digits.slice(cut);
    }
    default:
      return quotedText(String(value));
  }
}

test("a syntax tree written as a where clause is parsed with the same meaning", () => {
  fc.assert(
    fc.property(
      tree,
      fc.infiniteStream(fc.nat(11)),
      fc.array(record, { minLength: 1 }),
      (where, picks, records) => {
        const text = written(where, (...spellings) => {
          const pick = picks.next().value ?? 0;
          return spellings[pick % spellings.length] as never;
        });
        const read = parse(text);
        for (const values of records) {
          const stored = (path: string) => values[path];
          expect([text, matches(read, stored)]).toEqual([text, matches(where, stored)]);
        }
      },
    ),
    { numRuns: runs(1000) },
  );
});

test("the syntax tree of any parsed where clause is simplified, and its values have the types of their fields", () => {
  function check(where: Where, under = ""): void {
    if (where.op === "and" || where.op === "or") {
      expect(where.args.length).toBeGreaterThan(1);
      expect(where.op).not.toBe(under);
      for (const arg of where.args) check(arg, where.op);
    } else if (where.op === "not") {
      expect(["constant", "not"]).not.toContain(where.arg.op);
      expect(equalities).not.toContain("cmp" in where.arg ? where.arg.cmp : undefined);
      check(where.arg);
    } else if (where.op === "constant") expect(under).toBe("");
    else if (where.op === "compare") {
      if (where.value === null) expect(equalities).toContain(where.cmp);
      else if (where.field.kind === "text") expect(equalities).not.toContain(where.cmp);
      else if (where.field.choices) expect(where.field.choices).toContain(where.value);
    } else if (where.op === "text") expect(where.field.choices).toBeUndefined();
  }
  fc.assert(fc.property(tree, (where) => check(parse(written(where, (first) => first)))));
});

test("numbers of any size and scale in a where clause are compared exactly", () => {
  const digits = fc.oneof(fc.bigInt(-(10n ** 6n), 10n ** 6n), fc.bigInt(-(10n ** 24n), 10n ** 24n));
  const signs = fc.constantFrom(...every);
  const total = field("Total");
  fc.assert(
    fc.property(
      digits,
      fc.nat(6),
      signs,
      fc.integer(),
      fc.boolean(),
      (unscaled, scale, cmp, wild, near) => {
        const shown = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
        const point = shown.length - scale;
        const tail = scale > 0 ? `.${shown.slice(point)}` : "";
        const text = (unscaled < 0n ? "-" : "") + shown.slice(0, point) + tail;
        // Half of the stored values lie where the literal does, where a wrong rounding would show.
        const value = near ? Number((unscaled * 100n) / 10n ** BigInt(scale)) + (wild % 2) : wild;
        fc.pre(Number.isSafeInteger(value));
        const [left, right] = [BigInt(value) * 10n ** BigInt(scale), unscaled * 100n];
        const truth = {
          "=": left === right,
          "!=": left !== right,
          "<": left < right,
          "<=": left <= right,
          ">": left > right,
          ">=": left >= right,
        }[cmp];
        const stored = (path: string) => (path === total.path ? value : null);
        expect(matches(parse(`Total${cmp}${text}`), stored)).toBe(truth);
      },
    ),
    { numRuns: runs(2000) },
  );
});
