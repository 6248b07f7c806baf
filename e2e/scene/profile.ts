import type { Page } from '@playwright/test'
import type { Session } from './people.ts'

/** Opens the profile of somebody at one of its tabs. */
export async function openProfile(
  open: (session: Session) => Promise<Page>,
  session: Session,
  tab = 'personal',
): Promise<Page> {
  const page = await open(session)
  await page.goto(`/dashboard/profile#${tab}`)
  return page
}

/** Shows the sessions and the activity, which the security tab fetches once they are in sight. */
export async function showHistory(page: Page): Promise<void> {
  // Not by a real click: that scrolls to the button, which then is gone.
  await page
    .getByRole('button', { name: 'Show sessions and activity' })
    .evaluate((button: HTMLElement) => button.click())
}
