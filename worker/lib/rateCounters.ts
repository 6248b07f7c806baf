/**
 * SQL after an INSERT of one use into `rate_counters`: counts it in the current window, or begins a new one.
 * @param counted the new `used` within a window; NULL aborts the batch
 */
export function countInWindow(windowMs: number, counted = 'rate_counters.used + 1'): string {
  const lasts = `rate_counters.window_start > excluded.window_start - ${windowMs}`
  return `
    ON CONFLICT (key) DO UPDATE SET
      used = CASE WHEN ${lasts} THEN ${counted} ELSE 1 END,
      failed = CASE WHEN ${lasts} THEN rate_counters.failed ELSE 0 END,
      window_start = CASE WHEN ${lasts} THEN rate_counters.window_start ELSE excluded.window_start END`
}
