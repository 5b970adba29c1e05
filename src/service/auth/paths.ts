/** Where signing in lies on the port. @source spec of the API, section "Hosts and paths" */

export const authorisePath = "/identity/connect/authorize";
export const tokenPath = "/connect/token";
export const revocationPath = "/connect/revocation";
export const discoveryPath = "/.well-known/openid-configuration";
export const keysPath = "/.well-known/openid-configuration/jwks";
export const connectionsPath = "/connections";
/** Where people sign in; an id of the attempt follows. Not of the API: no client asks for it. */
export const signInPath = "/identity/sign-in";
