/** How the papers and pages of an organisation look. */

/** A picture as it is kept: checked when it was sent, and without anything but the picture. */
export interface Logo {
  readonly mimeType: "image/png" | "image/jpeg";
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** What a branding theme says of the looks. */
export interface Brand {
  /** `#1d4f91`; the plain ink of the page where there is none. */
  readonly color: string | undefined;
  readonly logo: Logo | undefined;
}
