import { eq } from 'drizzle-orm'
import { DEFAULT_PREFERENCES, type Preferences } from '../../../src/contract/identity/preferences.ts'
import type { Database } from '../../lib/database.ts'
import { preferences } from '../../lib/tables/people.ts'

/** What somebody chose; the defaults while they chose nothing. */
export async function preferencesOf(db: Database, userId: string): Promise<Preferences> {
  const [row] = await db.select().from(preferences).where(eq(preferences.userId, userId))
  if (row === undefined) return DEFAULT_PREFERENCES
  const { activityLog, unusualActivity, newBrowserSignIn, salesNews, features, tips } = row
  return { activityLog, emails: { unusualActivity, newBrowserSignIn, salesNews, features, tips } }
}
