/** Drops a trigger, runs something that it would refuse, and creates it again. */
export async function withTriggerDropped<T>(
  database: D1Database,
  trigger: string,
  work: () => Promise<T>,
): Promise<T> {
  const made = await database
    .prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?")
    .bind(trigger)
    .first<string>('sql')
  if (made === null) throw new Error(`There is no trigger ${trigger}`)
  await database.batch([database.prepare(`DROP TRIGGER ${trigger}`)])
  const result = await work()
  await database.batch([database.prepare(made)])
  return result
}
