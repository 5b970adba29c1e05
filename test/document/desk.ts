/** A book asked in one format, as the service document writes its requests. */
import { expect } from "vitest";
import type { Country } from "../../src/ledger/regions/index.ts";
import { type Json, type World, world } from "../service/fixture.ts";
import { type Format, readBack, written } from "./plain.ts";

export interface Sent {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Said {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The envelope, or the error. */
  readonly body: Json;
  /** The records, whatever their list is called. */
  readonly records: Json[];
}

export const nowhere = "11111111-1111-1111-1111-111111111111";

const types = { XML: "text/xml", JSON: "application/json" } as const;

export class Desk {
  readonly format: Format;
  readonly given: World;
  /** Every request that was sent: `GET /Invoices/…`. */
  readonly asked: string[] = [];
  #count = 0;

  constructor(format: Format, given: World) {
    this.format = format;
    this.given = given;
  }

  static async open(format: Format, country: Country = "NZ"): Promise<Desk> {
    return new Desk(format, await world(country));
  }

  get type(): string {
    return types[this.format];
  }

  /** @param body  records, under the last name of the path; text as it is */
  async ask(method: string, path: string, body?: unknown, sent: Sent = {}): Promise<Said> {
    this.asked.push(`${method} ${path}`);
    const text =
      body === undefined || typeof body === "string"
        ? body
        : written(this.format, listOf(path), body);
    const answer = await this.given.ask(method, path, text, {
      ...sent,
      headers: {
        accept: this.type,
        ...(text ? { "content-type": this.type } : {}),
        ...sent.headers,
      },
    });
    const read = readBack(answer.text);
    return { ...answer, body: read, records: recordsIn(read) };
  }

  async read(path: string, query: Readonly<Record<string, string>> = {}): Promise<Json[]> {
    return (await this.well("GET", path, undefined, { query })).records;
  }

  async one(path: string, query: Readonly<Record<string, string>> = {}): Promise<Json> {
    const records = await this.read(path, query);
    expect(records).toHaveLength(1);
    return records[0];
  }

  /** An answer of 200, or of 204. */
  async well(method: string, path: string, body?: unknown, sent?: Sent): Promise<Said> {
    const said = await this.ask(method, path, body, sent);
    expect([200, 204], `${method} ${path}: ${said.text}`).toContain(said.status);
    return said;
  }

  /** The first record that came of a PUT. */
  async put(path: string, body: unknown, query?: Readonly<Record<string, string>>): Promise<Json> {
    return (await this.well("PUT", path, body, query && { query })).records[0];
  }

  async post(path: string, body: unknown, query?: Readonly<Record<string, string>>): Promise<Json> {
    return (await this.well("POST", path, body, query && { query })).records[0];
  }

  /** The sentences of a 400, one after another. */
  async refused(method: string, path: string, body?: unknown, sent?: Sent): Promise<string> {
    const said = await this.ask(method, path, body, sent);
    expect(said.status, `${method} ${path}: ${said.text}`).toBe(400);
    const sentences = [said.body.Elements ?? []]
      .flat()
      .flatMap((each: Json) => each.ValidationErrors ?? []);
    return [said.body.Message, ...sentences.map((each: Json) => each.Message)].join(" ");
  }

  // What there is to sell, to whom, and what has been sold.

  async contact(fields: object = {}): Promise<Json> {
    this.#count += 1;
    return this.put("/Contacts", { Name: `Party ${this.#count}`, ...fields });
  }

  line(fields: object = {}): object {
    return { Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200", ...fields };
  }

  async sale(fields: object = {}): Promise<object> {
    const { ContactID } = "Contact" in fields ? { ContactID: "" } : await this.contact();
    return {
      Type: "ACCREC",
      Contact: { ContactID },
      Date: "2026-03-01",
      DueDate: "2026-03-20",
      LineItems: [this.line()],
      ...fields,
    };
  }

  async bill(fields: object = {}): Promise<object> {
    const LineItems = [this.line({ AccountCode: "429" })];
    return this.sale({ Type: "ACCPAY", LineItems, ...fields });
  }

  async invoice(fields: object = {}): Promise<Json> {
    return this.put("/Invoices", await this.sale(fields));
  }

  async approved(fields: object = {}): Promise<Json> {
    return this.invoice({ Status: "AUTHORISED", ...fields });
  }

  async pay(invoice: Json, fields: object = {}): Promise<Json> {
    return this.put("/Payments", {
      Invoice: { InvoiceID: invoice.InvoiceID },
      Account: { Code: "090" },
      Date: "2026-03-10",
      Amount: invoice.AmountDue,
      ...fields,
    });
  }

  async order(fields: object = {}): Promise<Json> {
    const { ContactID } = await this.contact();
    return this.put("/PurchaseOrders", {
      Contact: { ContactID },
      Date: "2026-03-01",
      LineItems: [this.line({ AccountCode: "429" })],
      ...fields,
    });
  }

  /** Money received ahead of an invoice, 115.00 of it. */
  async prepaid(fields: object = {}): Promise<Json> {
    const { ContactID } = "Contact" in fields ? { ContactID: "" } : await this.contact();
    const made = await this.put("/BankTransactions", {
      Type: "RECEIVE-PREPAYMENT",
      Contact: { ContactID },
      BankAccount: { Code: "090" },
      Date: "2026-03-02",
      LineAmountTypes: "Exclusive",
      LineItems: [this.line()],
      ...fields,
    });
    return this.one(`/Prepayments/${made.PrepaymentID}`);
  }
}

function listOf(path: string): string {
  const names = path.split("/").filter((each) => /^[A-Z][A-Za-z]+$/.test(each) && each !== "TAX");
  const last = names.at(-1) ?? "";
  return last === "History" ? "HistoryRecords" : last;
}

const about = new Set(["Warnings", "Elements", "ValidationErrors"]);

function recordsIn(body: Json): Json[] {
  if (typeof body !== "object") return [];
  const list = Object.entries(body).find(([name, each]) => Array.isArray(each) && !about.has(name));
  return (list?.[1] as Json[] | undefined) ?? [];
}
