import { secureHeaders } from 'hono/secure-headers'

/**
 * Adds the security headers to every answer of the Worker. An answer may set its own content security policy. A test keeps the
 * other headers equal to those of pages in `public/_headers`.
 */
export const addSecurityHeaders = secureHeaders({
  overwrite: false,
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  // Browsers only follow it over HTTPS, so it does not affect a local server.
  strictTransportSecurity: 'max-age=63072000; includeSubDomains',
  xFrameOptions: 'DENY',
  permissionsPolicy: Object.fromEntries(
    [
      ...['accelerometer', 'camera', 'displayCapture', 'geolocation', 'gyroscope', 'magnetometer'],
      ...['microphone', 'midi', 'payment', 'usb'],
    ].map((feature) => [feature, []]),
  ),
  // Pages of other allowed origins show pictures of the API.
  crossOriginResourcePolicy: false,
  // No browser of today needs these on an answer of an API.
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
})
