/** What an app does with xero-node, as its readme shows it; prints what came of it as JSON. */
const { execFileSync } = require("node:child_process");
const { setTimeout } = require("node:timers/promises");
const { XeroClient } = require("xero-node");

const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, REDIRECT_URI: redirectUri } = process.env;
const scopes =
  "openid profile email offline_access accounting.transactions accounting.contacts accounting.settings";

async function main() {
  const redirectUris = [redirectUri];
  const app = { clientId, clientSecret, redirectUris, scopes: scopes.split(" "), state: "s" };
  const xero = new XeroClient(app);
  const page = await xero.buildConsentUrl();
  const back = execFileSync(process.execPath, [process.env.BROWSE, page], { encoding: "utf8" });
  const first = await xero.apiCallback(back);
  const { access_token: renewed } = await xero.refreshToken();
  await xero.updateTenants();
  const [{ tenantId, tenantName, orgData }] = xero.tenants;
  const { accountingApi: api } = xero;
  const listed = async (number) => {
    const none = Array(7).fill(undefined);
    const rest = [number, undefined, undefined, undefined, undefined, 3];
    const { body } = await api.getInvoices(tenantId, ...none, ...rest);
    return body.invoices.map(({ invoiceNumber }) => invoiceNumber);
  };
  const pages = [await listed(1), await listed(2)];
  const lineItems = [{ description: "Work", quantity: 2, unitAmount: 50, accountCode: "200" }];
  const contact = { name: "Somebody New" };
  const sent = { type: "ACCREC", contact, lineItems, date: "2026-03-01", dueDate: "2026-03-20" };
  const made = await api.createInvoices(tenantId, {
    invoices: [{ ...sent, status: "AUTHORISED" }],
  });
  const [{ invoiceID, total, contact: named }] = made.body.invoices;
  const change = { invoices: [{ reference: "PO-7" }] };
  const updated = await api.updateInvoice(tenantId, invoiceID, change);
  const pdf = await api.getInvoiceAsPdf(tenantId, invoiceID);
  const refused = await api
    .getInvoices(tenantId, undefined, 'Date=="2026-03-01"')
    .catch((error) => JSON.parse(error));
  let limited;
  while (limited === undefined) {
    const failed = (error) => {
      limited = JSON.parse(error).response;
    };
    await api.getOrganisations(tenantId).catch(failed);
  }
  const retryAfter = limited.headers["retry-after"];
  await setTimeout(Number(retryAfter) * 1000);
  const again = await api.getOrganisations(tenantId);
  return {
    renewed: renewed !== first.access_token,
    tenant: [tenantName, orgData.name],
    pages,
    made: { total, contact: named.name, reference: updated.body.invoices[0].reference },
    pdf: pdf.body.subarray(0, 5).toString("latin1"),
    refused: [refused.response.statusCode, refused.response.body.Message],
    limited: [limited.statusCode, retryAfter],
    outlived: again.body.organisations.length,
  };
}

main().then(
  (found) => process.stdout.write(JSON.stringify(found)),
  (error) => {
    process.stderr.write(`${typeof error === "string" ? error : error.stack}\n`);
    process.exitCode = 1;
  },
);
