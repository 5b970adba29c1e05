/** Lines of a business that is not registered for tax: no tax, and the law's words on its sales. */
import { expect, test } from "vitest";
import { contact, sale, world } from "../fixture.ts";

test.each([
  ["DE", "4400", "SMALLBUSINESS"],
  ["DE", "7100", "NONE"],
  ["DE", "3272", "NONE"],
  ["FR", "706000", "FRANCHISE"],
  ["NZ", "200", "NONE"],
] as const)(
  "in %s a sale on %s of a business that is not registered has the tax type %s",
  async (country, AccountCode, TaxType) => {
    const given = await world(country);
    await given.ok("POST", "/Organisation/Settings", { PaysTax: false });
    const LineItems = [{ Description: "x", Quantity: 1, UnitAmount: 100, AccountCode }];
    const body = sale(await contact(given), { LineItems });
    const [{ LineItems: lines, TotalTax }] = (await given.ok("PUT", "/Invoices", body)).Invoices;
    expect([lines[0].TaxType, TotalTax]).toEqual([TaxType, 0]);
  },
);
