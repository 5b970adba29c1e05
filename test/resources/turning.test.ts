/** Characters that turn the direction of writing: refused in names, shown in free text. */
import { expect, test } from "vitest";
import { safeLine } from "../../src/cli/render/safe.ts";
import { html } from "../../src/output/markup.ts";
import { account, contact, invoice, item } from "../../src/resources/index.ts";
import { shown } from "../../src/resources/scalar.ts";
import { validate } from "../../src/resources/validate.ts";

const signs = "061c 200e 200f 202a 202b 202c 202d 202e 2066 2067 2068 2069".split(" ");
const signed = (point: string) => `Moa${String.fromCharCode(Number.parseInt(point, 16))}eeffoC`;

test.each(signs)(
  "the bidirectional control character U+%s is refused in names, numbers and codes",
  (point) => {
    const name = signed(point);
    const faults = [
      validate(contact.fields, { Name: name }, { creating: true }),
      validate(contact.fields, { FirstName: name, TaxNumber: name }, { creating: false }),
      validate(contact.fields, { Phones: [{ PhoneNumber: name }] }, { creating: false }),
      validate(item.fields, { Code: name, Name: name }, { creating: false }),
      validate(account.fields, { Name: name }, { creating: false }),
      validate(invoice.fields, { InvoiceNumber: name, Reference: name }, { creating: false }),
    ].map((each) => each.map(({ message }) => message));
    expect(faults.map((each) => each.length)).toEqual([1, 2, 1, 2, 1, 2]);
    for (const message of faults.flat()) {
      expect(message).toContain(`must not hold U+${point.toUpperCase()}, which turns`);
    }
  },
);

test.each(signs)(
  "the bidirectional control character U+%s is kept in free text, and shown escaped",
  (point) => {
    const text = signed(point);
    const lines = [{ Description: text }];
    expect(validate(invoice.fields, { LineItems: lines }, { creating: false })).toEqual([]);
    const escaped = `Moa\\u${point}eeffoC`;
    expect([safeLine(text), `${html`<p>${text}</p>`}`, shown(text)]).toEqual([
      escaped,
      `<p>${escaped}</p>`,
      `'${escaped}'`,
    ]);
    expect(`${html`<input value="${text}">`}`).toContain(text);
  },
);

test.each(["قهوة موا", "קפה מואה", "Café – Ünïcode"])(
  "the name %s, without bidirectional control characters, is accepted and shown unchanged",
  (name) => {
    expect(validate(contact.fields, { Name: name }, { creating: true })).toEqual([]);
    expect(safeLine(name)).toBe(name);
  },
);
