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
