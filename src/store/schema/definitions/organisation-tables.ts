/** Tables of the organisation: settings, branding, history, attachments, counters and secrets. */
import { index, type TableDefinition, uniqueIndex } from "../define.ts";

export const organisationTables = {
  organisation: {
    key: ["org"],
    chain: { without: ["chart_version", "contact_version"] },
    rows: [1, 1],
    columns: {
      id: "text",
      name: "text",
      api_key: "text?",
      legal_name: "text?",
      pays_tax: "integer?",
      version: "text?",
      organisation_type: "text?",
      base_currency: "text?",
      country_code: "text?",
      is_demo_company: "integer?",
      organisation_status: "text?",
      registration_number: "text?",
      employer_identification_number: "text?",
      tax_number: "text?",
      financial_year_end_day: "integer?",
      financial_year_end_month: "integer?",
      sales_tax_basis: "text?",
      sales_tax_period: "text?",
      default_sales_tax: "text?",
      default_purchases_tax: "text?",
      period_lock_date: "text?",
      end_of_year_lock_date: "text?",
      conversion_date: "text?",
      created_date_utc: "integer?",
      organisation_entity_type: "text?",
      timezone: "text?",
      short_code: "text?",
      edition: "text?",
      class: "text?",
      line_of_business: "text?",
      addresses: "text?",
      phones: "text?",
      electronic_address: "text?",
      contact_person: "text?",
      email_address: "text?",
      external_links: "text?",
      payment_terms: "text?",
      cis_contractor_enabled: "integer?",
      cis_sub_contractor_enabled: "integer?",
      cis_rate: "integer?",
      // Subscribed event categories, separated by commas; null without subscriptions.
      event_categories: "text?",
      // Versions of the cached reference data (`transactions/reference-cache.ts`); null before any
      // change.
      chart_version: "integer?",
      contact_version: "integer?",
    },
  },
  user_account: {
    key: ["org", "id"],
    chain: "each",
    rows: [10, 10, 1],
    columns: {
      id: "text",
      email_address: "text",
      first_name: "text?",
      last_name: "text?",
      updated_date_utc: "integer",
      is_subscriber: "integer",
      organisation_role: "text",
      email_address_key: "text",
    },
    indexes: {
      user_account_email: uniqueIndex(
        ["email_address_key"],
        [10, 1],
        "organisation_role <> 'REMOVED'",
      ),
    },
  },
  employee: {
    key: ["org", "id"],
    chain: "each",
    rows: [200, 200, 1],
    columns: {
      id: "text",
      status: "text",
      first_name: "text",
      last_name: "text",
      external_link: "text?",
      updated_date_utc: "integer",
      last_name_key: "text",
    },
    indexes: {
      employee_by_last_name: index(["last_name_key", "id"], [200, 1]),
    },
  },
  branding_theme: {
    key: ["org", "id"],
    chain: "each",
    rows: [3, 3, 1],
    columns: {
      id: "text",
      name: "text",
      logo_url: "text?",
      type: "text",
      sort_order: "integer",
      created_date_utc: "integer",
      color: "text?",
      bank_details: "text?",
      bank_account_id: "text?",
      payment_advice: "text?",
      terms: "text?",
      // Currency whose documents have the theme where they name none.
      currency_code: "text?",
    },
    indexes: {
      branding_theme_currency: uniqueIndex(["currency_code"], [3, 1], "currency_code is not null"),
    },
  },
  branding_logo: {
    key: ["org", "branding_theme_id"],
    chain: "each",
    rows: [3, 3, 1],
    columns: {
      branding_theme_id: "text",
      mime_type: "text",
      // Size of the logo in pixels.
      width: "integer",
      height: "integer",
      bytes: "bytes",
    },
  },
  payment_service: {
    key: ["org", "id"],
    chain: "each",
    rows: [3, 3, 1],
    columns: {
      id: "text",
      payment_service_name: "text",
      payment_service_url: "text",
      pay_now_text: "text",
      payment_service_type: "text",
      payment_service_name_key: "text",
    },
    indexes: {
      payment_service_name: uniqueIndex(["payment_service_name_key"], [3, 1]),
    },
  },
  branding_theme_payment_service: {
    key: ["org", "branding_theme_id", "payment_service_id"],
    chain: "each",
    clustered: true,
    rows: [3, 3, 1, 1],
    columns: {
      branding_theme_id: "text",
      payment_service_id: "text",
    },
  },
  // History entries of records. Append-only.
  history: {
    key: ["org", "record_id", "id"],
    chain: "each",
    clustered: true,
    rows: [3_000_000, 3_000_000, 3, 1],
    columns: {
      resource: "text",
      record_id: "text",
      id: "text",
      at: "integer",
      user: "text",
      changes: "text",
      details: "text",
      // Random salt, as of contacts, where the text may contain personal data.
      salt: "text?",
      // What the agent that wrote calls itself.
      agent: "text?",
    },
  },
  // An attachment of a record.
  attachment: {
    key: ["org", "id"],
    chain: "each",
    rows: [10_000, 10_000, 1],
    columns: {
      id: "text",
      // Resource name of the attachment's record.
      resource: "text",
      record_id: "text",
      // File name in composed characters (NFC); unique within a record.
      name: "text",
      mime_type: "text",
      size: "integer",
      // SHA-256 of the bytes, hexadecimal.
      sha256: "text",
      // Id of the stored bytes; a replaced file gets a new one, so that nobody reads a mixture of
      // both.
      content_id: "text",
      include_online: "integer",
    },
    indexes: {
      attachment_by_record: uniqueIndex(["record_id", "name"], [10_000, 2, 1]),
    },
  },
  // The bytes of attachments, in chunks that are read and written one at a time.
  attachment_chunk: {
    key: ["org", "content_id", "ord"],
    chain: "derived",
    rows: [100_000, 100_000, 10, 1],
    columns: {
      content_id: "text",
      // Index of the chunk in the file, from 0.
      ord: "integer",
      bytes: "bytes",
    },
  },
  sequence: {
    key: ["org", "name"],
    chain: "each",
    clustered: true,
    rows: [10, 10, 1],
    columns: {
      name: "text",
      // The highest number taken, or the running sum.
      last: "integer",
    },
  },
  // A secret of the organisation, by its purpose.
  secret: {
    key: ["org", "name"],
    chain: "each",
    clustered: true,
    rows: [1, 1, 1],
    columns: {
      name: "text",
      value: "text",
    },
  },
  // Applied plans, so that none is applied twice.
  applied_plan: {
    key: ["org", "id"],
    chain: "each",
    rows: [1_000, 1_000, 1],
    columns: {
      id: "text",
      user: "text",
      at: "integer",
    },
  },
  idempotency: {
    key: ["org", "app", "key"],
    chain: "passing",
    rows: [100, 100, 50, 1],
    columns: {
      app: "text",
      key: "text",
      fingerprint: "text",
      status: "integer",
      headers: "text",
      body: "text",
      // 1 when `body` is binary data in base64.
      binary: "integer",
      at: "integer",
    },
    indexes: {
      idempotency_by_time: index(["at"], [100, 1]),
    },
  },
  // Call counts of an app, which may be lost when the database crashes.
  call_count: {
    key: ["org", "app"],
    chain: "passing",
    unlogged: true,
    rows: [20, 20, 1],
    columns: {
      app: "text",
      // Number of writes of the row.
      version: "integer",
      // Counts in the format of the rate limiter.
      counts: "text",
    },
  },
} as const satisfies Record<string, TableDefinition>;
