/** What a client and this service agree on beyond what all services of this API have. */

/**
 * Sent as `true` with a refresh token that is to be revoked: what the person allowed the app
 * elsewhere is to stay. Services that do not know it revoke all that the person allowed the app.
 */
export const onlyThisSignIn = "only_this_sign_in";

/** Stands as `true` in the discovery document of a service that knows it. */
export const endsOneSignIn = "only_this_sign_in_supported";
