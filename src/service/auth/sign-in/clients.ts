/** An app as the authorisation server wants it described. */
import type { AdapterPayload } from "oidc-provider";
import type { App } from "../../../store/directory/apps.ts";

/**
 * @param secretHash  stands in for the secret, with which it is compared as a hash
 */
export function clientOf(app: App, secretHash: string | undefined): AdapterPayload {
  const common = {
    client_id: app.id,
    client_name: app.name,
    redirect_uris: [...app.redirectUris],
    // An app on a person's machine takes the port of the loopback address that is free.
    application_type: app.kind === "pkce" ? "native" : "web",
  } as const;
  switch (app.kind) {
    case "machine":
      return {
        ...common,
        client_secret: secretHash,
        token_endpoint_auth_method: "client_secret_post",
        grant_types: ["client_credentials"],
        response_types: [],
      };
    case "web":
      return {
        ...common,
        client_secret: secretHash,
        token_endpoint_auth_method: "client_secret_post",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      };
    case "pkce":
      return {
        ...common,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      };
  }
}
