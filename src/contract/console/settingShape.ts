import * as z from 'zod/mini'
import type { SettingKey } from './settingList.ts'
import { rowOf } from './settingValues.ts'

type Shape = Record<string, z.ZodMiniType>

/**
 * The schemas of some settings as the fields of an object: a group is an object of its parts, wrapped by `group` where
 * given.
 */
/* @__NO_SIDE_EFFECTS__ */
export function shapeOf(
  keys: readonly SettingKey[],
  schemaOf: (key: SettingKey) => z.ZodMiniType,
  group: (parts: z.ZodMiniObject<Shape>, name: string) => z.ZodMiniType = (parts) => parts,
): Shape {
  const shape: Shape = {}
  for (const name of new Set(keys.map(rowOf))) {
    const inside = keys.filter((key) => rowOf(key) === name)
    const [first] = inside
    if (first === name) shape[name] = schemaOf(first)
    else
      shape[name] = group(
        z.object(Object.fromEntries(inside.map((key) => [key.slice(name.length + 1), schemaOf(key)]))),
        name,
      )
  }
  return shape
}
