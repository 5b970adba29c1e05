/** JSON Schema of the configuration file of a server. */
import { type Setting, settings } from "./server-settings.ts";

/** Returns the schema, draft 2020-12. */
export function configSchema(): object {
  const properties = settings.flatMap((setting) => {
    const { name, key, isSecret, help } = setting;
    const settingSchema = { description: help, ...typeOf(setting) };
    const file = { description: `file with the setting ${key}`, type: "string" };
    const keys = [...new Set([key, name])].map((text) => [text, settingSchema] as const);
    return isSecret ? [...keys, [`${key}File`, file] as const] : keys;
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Configuration of acct serve",
    type: "object",
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

function typeOf({ placeholder, values }: Setting): object {
  if (placeholder === undefined) return { type: "boolean" };
  if (placeholder === "N" || placeholder === "SECONDS") return { type: "integer", minimum: 0 };
  if (values !== undefined) {
    return { enum: values.flatMap((text) => (/^\d+$/.test(text) ? [text, Number(text)] : text)) };
  }
  const listSchema = { type: ["array", "string"], items: { type: "string" } };
  return placeholder === "LIST" ? listSchema : { type: ["string", "number"] };
}
