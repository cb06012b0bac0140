// Sends a report about this page to the server.
let reports = 0;
function report(what, value) {
  // Reports may arrive out of order, and several may have the same clock value.
  const at = performance.timeOrigin + performance.now();
  navigator.sendBeacon('/report', JSON.stringify({what: what, value: value, at: at, number: ++reports}));
}
addEventListener('DOMContentLoaded', () => {
  for (const field of document.querySelectorAll('input, select, textarea')) {
    field.addEventListener('input', () => report(field.id, field.type === 'checkbox' ? field.checked : field.value));
  }
  for (const button of document.querySelectorAll('button')) {
    button.addEventListener('click', () => report('button', button.textContent));
  }
});
