import { SESSION_KEY } from './guard.ts'

// Inline scripts that run before the first paint. The page's security policy contains their hashes.

const READ = `const s=JSON.parse(localStorage.getItem('${SESSION_KEY}')),r=s&&s.token?s.role==='operator'?'operator':'investor':''`

/**
 * Runs in the head of every public page. It stores the role of a signed-in visitor on the root element, by which the header
 * shows “Dashboard” or “Console” instead of “Sign in” and “Sign up”. It follows other tabs, and pages that the browser brings back.
 */
export const visitorBeforePaint = `(()=>{const f=()=>{try{${READ};document.documentElement.dataset.visitor=r}catch{}};f();addEventListener('storage',f);addEventListener('pageshow',f)})()`

/** Runs in the head of /sign-in and /sign-up: opens a signed-in visitor's overview instead of the form. */
export const forwardBeforePaint = `try{${READ};if(r){document.documentElement.hidden=true;location.replace(r==='operator'?'/operator':'/dashboard/overview')}}catch{}`
