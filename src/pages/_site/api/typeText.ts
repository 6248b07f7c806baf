import type { Schema } from '../../../contract/openApi.ts'

/** A JSON Schema as a type in TypeScript's notation, with its limits as comments. */
export function formatType(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return joinUnion(schema.enum.map((value) => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return joinUnion(choices.map((choice) => formatType(choice, indent)))
  if (schema.allOf !== undefined) return schema.allOf.map((part) => formatType(part, indent)).join(' & ')
  const { type } = schema
  if (Array.isArray(type))
    return joinUnion(type.map((typeName) => formatType({ ...schema, type: typeName }, indent)))
  if (type === 'array') return listText(schema, indent)
  if (type === 'object') return formatObject(schema, indent)
  return type === undefined ? 'unknown' : type === 'integer' ? 'number' : String(type)
}

/** The limits on a value beyond its type: `1 to 255 characters`, `a whole number, at least 1`. Empty if unlimited. */
export function describeLimits({ type, minLength, maxLength, minimum, maximum, maxItems }: Schema): string {
  if (type === 'string') return formatCharacters(describeRange(minLength, maxLength))
  if (type === 'array') return maxItems === undefined ? '' : `at most ${maxItems}`
  const range = describeRange(getStatedMinimum(minimum), getStatedMaximum(maximum))
  if (type !== 'integer') return range
  return range === '' ? 'a whole number' : `a whole number, ${range}`
}

/** Every integer of the contract is exact, so JavaScript's own limits are left out. */
function getStatedMinimum(minimum: number | undefined): number | undefined {
  return minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum
}

function getStatedMaximum(maximum: number | undefined): number | undefined {
  return maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
}

function describeRange(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return most === undefined ? '' : `at most ${most}`
  if (least === most) return `exactly ${least}`
  return most === undefined ? `at least ${least}` : `${least} to ${most}`
}

function formatCharacters(range: string): string {
  if (range === '') return ''
  return / 1$/.test(range) ? `${range} character` : `${range} characters`
}

function joinUnion(texts: readonly string[]): string {
  return [...new Set(texts)].join(' | ')
}

function listText({ items, prefixItems }: Schema, indent: string): string {
  if (prefixItems !== undefined)
    return `[${prefixItems.map((itemSchema) => formatType(itemSchema, indent)).join(', ')}]`
  const item = items ? formatType(items, indent) : 'unknown'
  return /[|&]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

function formatObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  indent: string,
): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const comment = [schema.description, describeLimits(schema)].filter(Boolean).join('; ')
    const field = `${inner}${name}${required.includes(name) ? '' : '?'}: ${formatType(schema, inner)}`
    return comment === '' ? field : `${field} // ${comment}`
  })
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0)
    fields.push(`${inner}[name: string]: ${formatType(additionalProperties, inner)}`)
  return fields.length === 0 ? '{}' : `{\n${fields.join('\n')}\n${indent}}`
}
