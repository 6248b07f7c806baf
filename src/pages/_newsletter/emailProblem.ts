/** What is wrong with an address at first sight, in the contract's words; the server looks closer. Null when nothing is. */
export function emailProblem(email: string): string | null {
  if (email.trim() === '') return 'Email is required'
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? null : 'Provide a valid email'
}
