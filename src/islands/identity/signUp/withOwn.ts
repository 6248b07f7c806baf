import type { Option } from '../../../design/SelectField.tsx'

/** The choices, and what somebody gave elsewhere if it is none of them: it is kept as one. */
export function withOwn(options: readonly Option[], own: string): readonly Option[] {
  if (own === '' || options.some(({ value }) => value === own)) return options
  return [{ value: own, label: own }, ...options]
}
