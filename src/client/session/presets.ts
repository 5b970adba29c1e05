/** Public services of this API, so that nobody has to look up where they answer. */
export interface Preset {
  /** The API root. */
  readonly baseUrl: string;
  /** Who signs people in; its discovery document says the rest. */
  readonly issuer: string;
  /** Every host that the sign-in may lead to: an answer that names another one is refused. */
  readonly hosts: readonly string[];
  /** Apps register this address there, which knows no free ports. */
  readonly redirectUri: string;
  /** What is asked for unless the person says otherwise. */
  readonly scopes: readonly string[];
}

/** Apps that were registered from March 2026 on are given these, and none of the broader ones. */
const granular = [
  "accounting.invoices",
  "accounting.payments",
  "accounting.banktransactions",
  "accounting.manualjournals",
  "accounting.contacts",
  "accounting.settings",
  "accounting.attachments",
  "accounting.budgets.read",
  "accounting.reports.aged.read",
  "accounting.reports.balancesheet.read",
  "accounting.reports.banksummary.read",
  "accounting.reports.budgetsummary.read",
  "accounting.reports.executivesummary.read",
  "accounting.reports.profitandloss.read",
  "accounting.reports.trialbalance.read",
  "accounting.reports.taxreports.read",
  "accounting.reports.tenninetynine.read",
] as const;

export const presets: Readonly<Record<string, Preset>> = {
  cloud: {
    baseUrl: "https://api.xero.com/api.xro/2.0",
    issuer: "https://identity.xero.com",
    hosts: ["login.xero.com", "identity.xero.com", "api.xero.com"],
    redirectUri: "http://localhost:9321/callback",
    scopes: granular,
  },
};

/** What is asked of any other service. */
export const broadScopes = [
  "accounting.transactions",
  "accounting.contacts",
  "accounting.settings",
  "accounting.attachments",
  "accounting.reports.read",
  "accounting.journals.read",
  "accounting.budgets.read",
] as const;

/** What every sign-in of a person asks for: who it is, and to be renewed without asking again. */
export const identityScopes = ["openid", "profile", "email", "offline_access"] as const;
