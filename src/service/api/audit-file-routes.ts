/** The routes of audit files: one per format. */
import type { AuditFormat, AuditOptions } from "../../audit-files/audit-export.ts";
import {
  auditDays,
  auditFilePath,
  auditFormatNames,
  auditFormats,
} from "../../resources/audit-file.ts";
import type { Field, Fields } from "../../resources/field.ts";
import { access } from "../request/permissions.ts";
import type { Route } from "../request/route.ts";

const formats: {
  readonly [F in AuditFormat]: {
    readonly parameters: Fields & Record<keyof AuditOptions[F], Field>;
  };
} = auditFormats;

const auditFile = () => import("../audit-files/audit-file-answer.ts");

export const auditFileRoutes = () =>
  auditFormatNames.map((format): Route => {
    const { parameters } = formats[format];
    return {
      method: "GET",
      path: auditFilePath(format),
      // The requests that read the records of the file check the permission for each record too.
      access: access.reports("accounting.journals.read"),
      parameters: { ...auditDays, ...parameters },
      answers: "file",
      answer: async (call) => (await auditFile()).answerAuditFile(call, format, parameters),
    };
  });
