/**
 * Stands in for the packages that `@simplewebauthn/server` wants for the certificates of a device's maker: wrangler.toml and
 * vitest.config.ts name them. Passkeys are asked for with `attestation: 'none'`, so that no certificate is ever looked at;
 * an answer that carries one anyway is refused. The packages and what they load would take a quarter of the Worker's size.
 */
class Certificates {
  constructor() {
    throw new Error('No certificate was asked for')
  }
}

// @peculiar/x509
// @peculiar/asn1-x509, asn1-rsa and asn1-android; of asn1-schema and asn1-ecc what is no signature
export {
  Certificates as AuthorityKeyIdentifierExtension,
  Certificates as CRLDistributionPointsExtension,
  Certificates as SubjectKeyIdentifierExtension,
  Certificates as X509Certificate,
  Certificates as X509ChainBuilder,
  Certificates as X509Crl,
  Certificates as BasicConstraints,
  Certificates as Certificate,
  Certificates as ECParameters,
  Certificates as ExtendedKeyUsage,
  Certificates as KeyDescription,
  Certificates as OctetString,
  Certificates as RSAPublicKey,
  Certificates as SubjectAlternativeName,
}

/** Names of extensions and algorithms, which only a certificate has. */
const NONE = ''

export {
  NONE as id_ce_basicConstraints,
  NONE as id_ce_extKeyUsage,
  NONE as id_ce_keyDescription,
  NONE as id_ce_subjectAltName,
  NONE as id_ecdsaWithSHA256,
  NONE as id_ecdsaWithSHA384,
  NONE as id_ecdsaWithSHA512,
  NONE as id_ecPublicKey,
  NONE as id_ml_dsa_44,
  NONE as id_ml_dsa_65,
  NONE as id_ml_dsa_87,
  NONE as id_rsaEncryption,
  NONE as id_secp256r1,
  NONE as id_secp384r1,
  NONE as id_sha1WithRSAEncryption,
  NONE as id_sha256WithRSAEncryption,
  NONE as id_sha384WithRSAEncryption,
  NONE as id_sha512WithRSAEncryption,
}
