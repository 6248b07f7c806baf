import type { Network } from '../../../src/contract/money/coins.ts'

// Public development keys: they protect no real document. The passphrase of both private keys is `sample passphrase of
// development`. CONTRIBUTING.md has the private recovery key.

/** KYC_RECOVERY_RECIPIENT in development and in tests. */
export const SAMPLE_RECOVERY_RECIPIENT = 'age16ppk02tscuz3rqrqrxahxnudmnu83nu80v4n7epqsnrf6cuj0d9q6vuarx'

/** The password of all sample accounts. */
export const SAMPLE_PASSWORD = 'correct-horse-battery-staple'

/** The seeded operators’ second factor. */
export const SAMPLE_TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/** Each seeded operator's public key, and the private key as a browser encrypted it. */
export const SAMPLE_KEYS = {
  operator: {
    recipient: 'age1datfr609ytf8ts6uetzkjydgpsy405mkazel00r4la9x7v3wepjq8r5mk4',
    identity: `-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCAra2J0N1JLditXK05nenYr
a242ZXlRIDE4CjRnVUs1b3BUUGtoQ3pHbjBVbGNTOWN4NkVTV1R0V3lDVVhDbmZ2
SVhUQ0kKLS0tIFBYM1BINnorY0J0cWx2TThlbThPL0VNaXR1bnBEdGp1NE5aVlFY
VGpMUlUKLYzV52H+uuz7mDRYKq9aAwyQ+9/HrDvSJNSST6ghYUzvi+62R54zFxMS
3pwZl1n6xVTnbClIjmbJjv8F6u7GUFC1A5+EISUMANjyOHOrddEeV8PPqPsPYZIM
SxJkWERnTB9IisKSN+YcSA==
-----END AGE ENCRYPTED FILE-----
`,
  },
  operator2: {
    recipient: 'age12agl5eawhrgzjcw6u5a5rlue4l4av0cfyzuakceq55a7akf0wqxsp6m269',
    identity: `-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBENEt6SzBDNHJXbnV3UHIx
bFg5bFFRIDE4CjV1dERQU1FNcjREOFJrdm1vQThkaWZoY0ZzVE94U1UxcUZlbGpM
WVd4OEkKLS0tIE1pcXJnZGY2UmtFd05qeDRPcVZTaWNtampuV3hhbm9QMjJ6anlI
bHoxaHcKbga6eHK1t3mMWWhY/A/Bi2XKM8UWrqNMgMfiJsctV8rUGJ26TrWNmdAk
XSA+LonO5txLmt3ZUcBEnf3KS6tUdi8pZha+xY1EodI8qMp5ixxxiswNnIzSqSGL
nty8ObQzDB06pJe+Bi9yCw==
-----END AGE ENCRYPTED FILE-----
`,
  },
} as const

/**
 * Receiving addresses for development. No real wallet sends to any of them: the Bitcoin one belongs to a test network, the
 * others have a wrong checksum on purpose.
 */
export const RECEIVING_ADDRESSES: Record<Network, string> = {
  btc: 'tb1qpjvrzyxslfauteyvgaecwhfyju9mujsj6s0jm2',
  eth: '0xd4D1B634F0BdFF40206F062ecFDF2056cd2a5D1F',
  'usdt-trc20': 'TBiqmk2FAM8bE5ArmjZcpnpxpwwRT5915g',
  'usdt-bsc': '0x462aa4098964c37A9Cd2a08B40878525b1Ae4e5e',
  'usdt-erc20': '0xc15996D5a76b61217367d24A42c81558fA64Be81',
  'usdc-erc20': '0x3463e849BAB77753Dae1cc4116DBD6D4e635A3D5',
}
