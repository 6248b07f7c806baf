/**
 * What every answer of the Worker carries, as `public/_headers` has it for the pages; a test holds the two together.
 * The policy of content is set where answers differ.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  // Browsers heed it over HTTPS alone, so that it does nothing to a local server.
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
}
