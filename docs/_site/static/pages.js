// A notebook's picture fits the page; a tap shows it in its own size, in a box that scrolls, and another tap fits it again.
for (const picture of document.querySelectorAll(".cell_output img")) {
  picture.parentElement.classList.add("picture");
  picture.addEventListener("click", () => picture.classList.toggle("enlarged"));
}

// Many telephones have no font for mathematics. Browsers then leave indices on the line, and the style sheet moves them.
document.body.insertAdjacentHTML("beforeend", "<math><msub><mi>x</mi><mi>x</mi></msub></math>");
const probe = document.body.lastElementChild;
const [base, index] = [...probe.firstElementChild.children].map((one) => one.getBoundingClientRect().bottom);
document.documentElement.classList.toggle("plain-math", index - base < 2);
probe.remove();
