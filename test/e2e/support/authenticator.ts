import type { CDPSession, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'

const STEP_MS = 30_000

const OPERATORS_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/**
 * Returns the code that an authenticator app shows for a secret, by default the seeded operators'. `stepsAgo` counts steps of 30
 * seconds: above zero gives an earlier code, below zero a later one.
 */
export function authenticatorCode(stepsAgo = 0, secret = OPERATORS_SECRET): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() - stepsAgo * STEP_MS,
  })
}

/** How a virtual authenticator answers passkey prompts. It accepts them at first. */
export interface VirtualAuthenticator {
  /** From now on, every prompt fails as if the user had closed it. */
  refuse: () => Promise<void>
  /** From now on, every prompt succeeds at once. */
  accept: () => Promise<void>
}

/** Gives the page Chromium's virtual authenticator, which stores passkeys. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const chromium: CDPSession = await page.context().newCDPSession(page)
  await chromium.send('WebAuthn.enable')
  const { authenticatorId } = await chromium.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const setVerified = async (isUserVerified: boolean) => {
    await chromium.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  }
  return {
    refuse: () => setVerified(false),
    accept: () => setVerified(true),
  }
}
