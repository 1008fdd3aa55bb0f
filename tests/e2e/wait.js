// Answers with the first value of the condition that is one, or with null when the time is up.
const [ms, done] = arguments;
const condition = () => CONDITION;
let over = false;
const end = (answer) => {
  if (over) return;
  over = true;
  clearInterval(every);
  clearTimeout(late);
  done(answer);
};
const look = () => {
  const answer = condition();
  if (answer !== null && answer !== undefined && answer !== false) end(answer);
};
const late = setTimeout(() => end(null), ms);
const every = setInterval(look, 20);
look();
