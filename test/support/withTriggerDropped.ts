/** Drops a trigger, runs something that it would refuse, and creates it again. */
export async function withTriggerDropped(
  database: D1Database,
  trigger: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const made = await database
    .prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?")
    .bind(trigger)
    .first<string>('sql')
  if (made === null) throw new Error(`There is no trigger ${trigger}`)
  await database.batch([database.prepare(`DROP TRIGGER ${trigger}`)])
  await work()
  await database.batch([database.prepare(made)])
}
