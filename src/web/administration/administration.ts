/** Administration pages of an organisation: its people, apps, webhooks and audit log. */

import { pagesOf, type Tab } from "../account/account-router.ts";
import { appRoutes } from "./apps.ts";
import { auditRoutes } from "./audit.ts";
import type { AdministrationContext } from "./context.ts";
import { peopleRoutes } from "./people.ts";
import { webhookRoutes } from "./webhooks.ts";

export const administrationTabs: readonly Tab[] = [
  { title: "People", path: "/people" },
  { title: "Apps", path: "/apps" },
  { title: "Webhooks", path: "/webhooks" },
  { title: "Audit log", path: "/audit" },
];

export const administrationPages = pagesOf<AdministrationContext>([
  ...peopleRoutes,
  ...appRoutes,
  ...webhookRoutes,
  ...auditRoutes,
]);
