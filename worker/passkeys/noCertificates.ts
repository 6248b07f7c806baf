/**
 * Stands in for `@peculiar/x509`, which `@simplewebauthn/server` wants for the certificates of a device's maker: wrangler.toml
 * and vitest.config.ts name it. Passkeys are asked for with `attestation: 'none'`, so that no certificate is ever looked at;
 * an answer that carries one anyway is refused. The library and what it loads would take a sixth of the Worker's size.
 */
class Certificates {
  constructor() {
    throw new Error('No certificate was asked for')
  }
}

export {
  Certificates as AuthorityKeyIdentifierExtension,
  Certificates as CRLDistributionPointsExtension,
  Certificates as SubjectKeyIdentifierExtension,
  Certificates as X509Certificate,
  Certificates as X509ChainBuilder,
  Certificates as X509Crl,
}
