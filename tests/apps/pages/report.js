// Tells the server what happened on this page.
function report(what, value) {
  // Reports may overtake each other.
  const at = performance.timeOrigin + performance.now();
  navigator.sendBeacon('/report', JSON.stringify({what: what, value: value, at: at}));
}
addEventListener('DOMContentLoaded', () => {
  for (const field of document.querySelectorAll('input, select, textarea')) {
    field.addEventListener('input', () => report(field.id, field.type === 'checkbox' ? field.checked : field.value));
  }
  for (const button of document.querySelectorAll('button')) {
    button.addEventListener('click', () => report('button', button.textContent));
  }
});
