/** How the documents of a branding theme look, and what they say of paying. */
import { addColumns, createTable, type Migration, type TableDefinition } from "./tools.ts";

// A table of its own: themes are read with every document, their logos only where one is drawn.
const logo: TableDefinition = {
  name: "branding_logo",
  key: ["org", "branding_theme_id"],
  rows: [3, 3, 1],
  columns: {
    branding_theme_id: "text",
    mime_type: "text",
    width: "integer",
    height: "integer",
    bytes: "bytes",
  },
};

export const paper: Migration = async (db, dialect) => {
  await addColumns(db, dialect, "branding_theme", {
    color: "text?",
    bank_details: "text?",
    payment_advice: "text?",
    terms: "text?",
  });
  await createTable(db, dialect, logo);
};
