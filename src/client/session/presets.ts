/** Presets of public services of this API, so that nobody has to look up their addresses. */
export interface Preset {
  /** Address of the API root. */
  readonly baseUrl: string;
  /** The OpenID issuer; its discovery document gives the rest. */
  readonly issuer: string;
  /** All hosts that a sign-in may use: an answer that names another host is refused. */
  readonly hosts: readonly string[];
  /** The redirect URI that apps register there, since free ports are not supported. */
  readonly redirectUri: string;
  /** Default scopes. */
  readonly scopes: readonly string[];
}

/** Scopes for apps registered from March 2026 on, which cannot have the broader ones. */
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

/** Scopes requested of any other service. */
export const broadScopes = [
  "accounting.transactions",
  "accounting.contacts",
  "accounting.settings",
  "accounting.attachments",
  "accounting.reports.read",
  "accounting.journals.read",
  "accounting.budgets.read",
] as const;

/** Scopes of every user sign-in: identity, and renewal without a prompt. */
export const identityScopes = ["openid", "profile", "email", "offline_access"] as const;
