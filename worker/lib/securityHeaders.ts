/**
 * The headers of every answer of the Worker. A test keeps them equal to those of pages in `public/_headers`. Each answer sets its
 * own content security policy.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  // Browsers only follow it over HTTPS, so it does not affect a local server.
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
}
