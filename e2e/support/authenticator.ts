import type { CDPSession, Page } from '@playwright/test'

/** What a page's device does when it is asked for a passkey. */
export interface Device {
  /** From now on nobody puts a finger on it: every prompt fails as one does that was closed. */
  refuse: () => Promise<void>
  /** From now on its owner agrees at once. */
  agree: () => Promise<void>
}

/** Gives a page a device that keeps passkeys, whose owner agrees to every prompt: Chromium's own virtual authenticator. */
export async function giveDevice(page: Page): Promise<Device> {
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
  const verified = (isUserVerified: boolean) =>
    chromium.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return {
    refuse: async () => void (await verified(false)),
    agree: async () => void (await verified(true)),
  }
}
