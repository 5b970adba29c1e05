/** Paths of the identity routes. @source spec of the API, section "Hosts and paths" */

export const authorisePath = "/identity/connect/authorize";
export const tokenPath = "/connect/token";
export const revocationPath = "/connect/revocation";
export const discoveryPath = "/.well-known/openid-configuration";
export const keysPath = "/.well-known/openid-configuration/jwks";
export const userInfoPath = "/connect/userinfo";
export const connectionsPath = "/connections";
/** Path of the sign-in pages, followed by an interaction id. Not part of the API. */
export const signInPath = "/identity/sign-in";
/** Path of the page of a forgotten password, followed by the secret of a link. Not part of the API. */
export const passwordPath = "/identity/password";
