function o(){let e=new URL("page.html",import.meta.url);e.hash=document.location.hash,document.location.replace(e.href)}export{o as render};
