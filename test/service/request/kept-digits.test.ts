/** Digits that a currency or a field does not have, rates that have ended, and balances by role. */
import { describe, expect, test } from "vitest";
import { currencyCodes } from "../../../src/resources/common.ts";
import { resources } from "../../../src/resources/index.ts";
import { createService } from "../../../src/service/api/service.ts";
import { planKeyInMemory } from "../../../src/service/plans/plan-key.ts";
import { serverOf } from "../../support/audit.ts";
import { contact, invoiced, type Json, sale, type World, world } from "../fixture.ts";

const line = (fields: object) => [
  { Description: "Work", Quantity: 1, AccountCode: "200", TaxType: "ZERORATED", ...fields },
];

describe("in yen", () => {
  const inYen = async () => {
    const given = await world();
    await given.ok("PUT", "/Currencies", { Code: "JPY" });
    return { given, customer: await contact(given) };
  };
  const yen = (customer: Json, fields: object) =>
    sale(customer, {
      Status: "AUTHORISED",
      CurrencyCode: "JPY",
      CurrencyRate: 90,
      LineItems: line(fields),
    });

  test.each([
    [{ UnitAmount: 1000.55 }, /^The UnitAmount 1000.5500 has decimal places, which JPY has not/],
    [{ UnitAmount: 1000.55, LineAmount: 1001 }, /^The UnitAmount 1000.5500/],
    [{ LineAmount: 1000.5 }, /LineAmount 1000.50 has decimal places, which JPY has not/],
  ])("in yen, an invoice line with the amounts %j is refused", async (fields, sentence) => {
    const { given, customer } = await inYen();
    const [said] = await given.refused("PUT", "/Invoices", yen(customer, fields), {
      query: { unitdp: "4" },
    });
    expect(said).toMatch(sentence);
  });

  test("in yen, whole amounts are accepted, and a line of a fractional unit price given by quantity and amount", async () => {
    const { given, customer } = await inYen();
    const put = async (fields: object) =>
      (await given.ok("PUT", "/Invoices", yen(customer, fields))).Invoices[0];
    expect(await put({ UnitAmount: 1000 })).toMatchObject({ Total: 1000 });
    const parted = await put({ Quantity: 3, LineAmount: 1000 });
    expect(parted).toMatchObject({ Total: 1000 });
    // Sent back as it was read it stands.
    const [read] = parted.LineItems;
    const path = `/Invoices/${parted.InvoiceID}`;
    await given.ok("POST", path, { Reference: "r", LineItems: [{ ...read, Description: "x" }] });
    const Account = { Code: "090" };
    const pay = { Invoice: { InvoiceID: parted.InvoiceID }, Account, Date: "2026-03-10" };
    expect(await given.refused("PUT", "/Payments", { ...pay, Amount: 10.5 })).toEqual([
      "The Amount 10.50 has decimal places, which JPY has not; give a whole amount.",
    ]);
  });

  test.each(["KWD", "BHD", "CLF"])(
    "adding the currency %s, which has more than two decimals, is refused by its code",
    async (Code) => {
      const given = await world();
      const [said] = await given.refused("PUT", "/Currencies", { Code });
      expect(said).toMatch(new RegExp(`^${Code} has (three|four) decimal places`));
    },
  );
});

describe("a currency of three decimal places", () => {
  /** Fields of currencies that a caller may write, by their resource. */
  const creatable = resources.filter(({ collection }) => collection.some((each) => each !== "GET"));
  const written = creatable.flatMap((resource) =>
    Object.entries(resource.fields).flatMap(([name, field]) =>
      field.kind === "choice" && field.values === currencyCodes && !field.readOnly
        ? [{ resource, name }]
        : [],
    ),
  );

  test.each(written.map((each) => [each.resource.name, each.name, each] as const))(
    "a new %s whose %s is KWD is refused in the words of that currency",
    async (_resource, _name, { resource, name }) => {
      const given = await world();
      const [method = ""] = resource.collection.filter((each) => each !== "GET");
      const said = await given.refused(method, `/${resource.plural}`, { [name]: "KWD" });
      expect(said.join("\n")).toContain(
        "KWD has three decimal places, which this service cannot keep exactly",
      );
    },
  );
});

test.each([
  ["Quantity", 1.12345, "four"],
  ["UnitAmount", 9.99999, "four"],
  ["DiscountRate", 2.12345, "four"],
])(
  "a line whose %s has more decimal places than are stored is refused with the field's name",
  async (name, sent, count) => {
    const given = await world();
    const customer = await contact(given);
    const body = sale(customer, { LineItems: line({ UnitAmount: 1, [name]: sent }) });
    const [said] = await given.refused("PUT", "/Invoices", body);
    expect(said).toContain(`${name} has more than ${count} decimal places: '${sent}'`);
    const xml = `<Invoice><Type>ACCREC</Type><LineItems><LineItem><${name}>${sent}</${name}></LineItem></LineItems></Invoice>`;
    const headers = { "content-type": "text/xml" };
    expect((await given.refused("PUT", "/Invoices", xml, { headers }))[0]).toContain(String(sent));
  },
);

describe.each([
  ["NZ", "OUTPUT", "200", "2010-09-30", "12.5% of before October 2010; OUTPUT2 is 15%"],
  ["NZ", "INPUT", "429", "2010-09-30", "12.5% of before October 2010; INPUT2 is 15%"],
  ["ZA", "OUTPUT", "200", "2018-03-31", "14% of before April 2018; OUTPUT3 is 15%"],
  ["ZA", "INPUT2", "429", "2018-03-31", "14% of before April 2018; INPUT4 is 15%"],
  ["ZA", "CAPEXINPUT", "710", "2018-03-31", "14% of before April 2018; CAPEXINPUT2 is 15%"],
  ["GB", "CAPEXINPUT", "710", "2011-01-03", "17.5% of before 4 January 2011; CAPEXINPUT2 is 20%"],
  ["GB", "CAPEXSRINPUT", "710", "2009-12-31", "15% of before January 2010; CAPEXINPUT2 is 20%"],
  ["GB", "SROUTPUT", "200", "2009-12-31", "15% of before January 2010; OUTPUT2 is 20%"],
  ["CA", "CAN016", "400", "2019-06-30", "13% of before July 2019; CAN028 is 12%"],
  ["CA", "CAN006", "600", "2025-03-31", "15% of before April 2025; CAN031 is 14%"],
] as const)(
  "in %s, the ended tax rate %s on account %s",
  (country, TaxType, AccountCode, last, words) => {
    const dated = async (day: string) => {
      const given = await world(country);
      const customer = await contact(given);
      const LineItems = line({ UnitAmount: 100, AccountCode, TaxType });
      const Type = ["200", "400"].includes(AccountCode) ? "ACCREC" : "ACCPAY";
      return { given, body: sale(customer, { Type, InvoiceNumber: "O-1", Date: day, LineItems }) };
    };

    test(`the ended tax rate is listed as deleted, and can be charged on ${last}`, async () => {
      const { given, body } = await dated(last);
      const rates = (await given.ok("GET", "/TaxRates")).TaxRates as Json[];
      const held = rates.find((each) => each.TaxType === TaxType);
      expect(held).toMatchObject({ Status: "DELETED", EffectiveRate: Number.parseFloat(words) });
      const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
      expect(made).toMatchObject({
        TotalTax: Number.parseFloat(words),
        LineItems: [{ TaxType }],
      });
    });

    test("the ended tax rate is refused on the day after, with the rate that replaced it", async () => {
      const day = new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 10);
      const { given, body } = await dated(day);
      expect(await given.refused("PUT", "/Invoices", body)).toEqual([
        `${TaxType} is the ${words}.`,
      ]);
    });
  },
);

test("a role without access to bills gets no balances of bills, in XML or JSON, lists, pages or writes", async () => {
  const given: World = await world();
  const bill = await invoiced(given, {
    Type: "ACCPAY",
    InvoiceNumber: "B-1",
    Status: "AUTHORISED",
    LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 10, AccountCode: "429" }],
  });
  const { ContactID } = bill.Contact;
  await given.ok("PUT", "/Invoices", sale({ ContactID }, { Status: "AUTHORISED" }));
  const path = `/Contacts/${ContactID}`;
  const [all] = (await given.ok("GET", path)).Contacts;
  expect(all.Balances).toHaveProperty("AccountsPayable");
  const service = createService({
    store: given.book.store,
    clock: () => given.now,
    newId: () => ContactID,
    responseId: () => ContactID,
    mailer: async () => undefined,
    baseUrl: "http://127.0.0.1",
    publicUrl: undefined,
    planKey: planKeyInMemory(),
    server: serverOf(given.book.store),
    authenticate: () => ({
      org: given.book.org,
      app: "acct",
      appName: "acct",
      user: "Tess",
      email: "tess@heron.example",
      reports: false,
      role: "INVOICEONLY",
      scopes: "all" as const,
    }),
  });
  for (const accept of ["application/json", "text/xml"]) {
    for (const [address, query] of [
      [path, []],
      ["/Contacts", [["page", "1"]]],
    ] as const) {
      const answer = await service.transport({
        method: "GET",
        path: address,
        query,
        headers: { accept },
      });
      expect(String(answer.body)).toContain("AccountsReceivable");
      expect(String(answer.body)).not.toContain("AccountsPayable");
    }
  }
});
