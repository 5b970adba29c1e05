/**
 * An invented app: a shop that writes its orders as invoices and its takings as payments, and gives up
 * where it must not go on. It talks to its accounts by the public library, and knows of no test.
 */
import { CurrencyCode, Invoice, XeroClient } from "xero-node";

const triesMax = 3;

export class Shop {
  #api;
  #tenant;

  /** @param {{ url: string, tenant: string, token: string }} accounts */
  constructor({ url, tenant, token }) {
    const client = new XeroClient();
    client.setTokenSet({ access_token: token });
    this.#api = client.accountingApi;
    this.#api.basePath = url;
    this.#tenant = tenant;
  }

  /**
   * Writes an order once, however often it is told.
   *
   * @param {string} invoiceNumber @param {string} buyer @param {number} unitAmount
   */
  async order(invoiceNumber, buyer, unitAmount) {
    const order = {
      type: Invoice.TypeEnum.ACCREC,
      status: Invoice.StatusEnum.AUTHORISED,
      invoiceNumber,
      contact: { name: buyer },
      currencyCode: CurrencyCode.NZD,
      date: "2026-03-01",
      dueDate: "2026-03-20",
      lineItems: [{ description: "Goods", quantity: 1, unitAmount, accountCode: "200" }],
    };
    const { body } = await retried(() => {
      const invoices = { invoices: [order] };
      return this.#api.createInvoices(this.#tenant, invoices, true, 4, invoiceNumber);
    });
    return body.invoices?.[0]?.invoiceID;
  }

  /** @param {string | undefined} invoiceID @param {number} amount */
  async paid(invoiceID, amount) {
    const payment = {
      invoice: { invoiceID },
      account: { code: "091" },
      date: "2026-03-01",
      amount,
    };
    await retried(() => this.#api.createPayment(this.#tenant, payment, `paid ${invoiceID}`));
  }

  /**
   * Numbers of the invoices that are overdue on a day.
   *
   * @param {string} day
   */
  async overdue(day) {
    const where = `AmountDue>0 AND DueDate<DateTime(${day.replaceAll("-", ",")})`;
    const { body } = await this.#api.getInvoices(this.#tenant, undefined, where);
    return body.invoices?.map(({ invoiceNumber }) => invoiceNumber);
  }
}

/**
 * Tries again what failed on the way.
 *
 * @template T @param {() => Promise<T>} send @returns {Promise<T>}
 */
async function retried(send, tries = triesMax) {
  try {
    return await send();
  } catch (failure) {
    const { statusCode = 0 } = JSON.parse(String(failure)).response ?? {};
    if (statusCode < 500) throw new Error(`The accounts refuse it: ${statusCode}`);
    if (tries === 1) throw new Error(`The accounts are away: ${statusCode}`);
    return retried(send, tries - 1);
  }
}
