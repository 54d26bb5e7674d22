// Luogu P1074: the solution of a Sudoku with the highest weighted sum
// https://www.luogu.com.cn/problem/P1074
// Language: Rust
// Made by `judge bundle luogup1074 --to rust` from commit 917e93f9
// Licence: MIT OR Apache-2.0
use std::array::from_fn;use std::process::ExitCode;use crate::sudoku::notation::Notation;fn main()->ExitCode{crate::program::run(|input,output|{let puzzle=input.only_grid::<9>(Notation::SPACED)?;
let weight=|row:usize,column:usize|{10-row.abs_diff(4).max(column.abs_diff(4))};let weights=from_fn(|row|from_fn(|column|weight(row,column)as u32));let best=crate::sudoku::engine::heaviest_solution(&puzzle,
&weights);let score=best.map_or("-1".into(),|(_,score)|score.to_string());Ok(output.text(&(score+"\n"))?)})}mod sudoku{pub mod engine{pub mod big{mod search{}}pub mod constraints{mod table{}
}mod heaviest{use crate::sudoku::grid::{Cell,Digit,Grid};use crate::sudoku::rules::allows_classic;use core::cmp::Reverse;const STEPS:[usize;2]=[400,20];const MAX_STEP:i64=16;
const MIN_STEP:i64=2;const PATIENCE:usize=10;const MAX_UNITS:i64=1<<12;pub fn heaviest_solution<const N:usize>(puzzle:&Grid<N>,weights:&[[u32;N];N],)->Option<(Grid<N>,
u64)>{if!allows_classic(puzzle){return None;}let total:i64=weights.as_flattened().iter().map(|&w|i64::from(w)).sum();let unit=MAX_UNITS.min((i64::MAX>>10)/(total*N as i64).max(1));
let weight=|&w:&u32|i64::from(w)*unit;let mut search=Search{weights:weights.as_flattened().iter().map(weight).collect(),unit,best:None,};let mut root=Node{grid:Grid::EMPTY,
empty:Cell::all().collect(),open:vec![Node::<N>::ALL;N*N],prices:search.first_prices(),missing:vec![Node::<N>::ALL;3*N],};for(cell,digit)in puzzle.givens(){root.place(cell,
digit);}search.run(root,STEPS[0]);search.best.map(|(grid,sum)|(grid,(sum/unit)as u64))}fn houses<const N:usize>(cell:Cell<N>)->[usize;3]{[cell.row(),N+cell.column(),
2*N+cell.box_index()]}fn digits<const N:usize>(mut mask:u64)->impl Iterator<Item=Digit<N> >{core::iter::from_fn(move| |{let digit=(mask!=0).then(| |Digit::from_index(mask.trailing_zeros()as usize));
mask&=mask.wrapping_sub(1);digit})}#[derive(Clone)]struct Node<const N:usize>{grid:Grid<N>,empty:Vec<Cell<N> >,open:Vec<u64>,prices:Vec<[i64;N]>,missing:Vec<u64>,
}impl<const N:usize>Node<N>{const ALL:u64=(1<<N)-1;fn place(&mut self,cell:Cell<N>,digit:Digit<N>){let bit=1<<digit.index();self.grid.set(cell,Some(digit));self.empty.retain(|&other|other!=cell);
for house in houses(cell){self.missing[house]&=!bit;}for&other in&self.empty{let[row,column,square]=houses(other).map(|house|self.missing[house]);self.open[other.index()]&=row&column&square;
}}fn place_singles(&mut self)->bool{'again:loop{let(mut once,mut twice)=(vec![0;3*N],vec![0;3*N]);for&cell in&self.empty{for house in houses(cell){twice[house]|=once[house]&self.open[cell.index()];
once[house]|=self.open[cell.index()];}}if once!=self.missing{return false;}for k in 0..self.empty.len(){let cell=self.empty[k];let open=self.open[cell.index()];let hidden=houses(cell).map(|house|open&!twice[house]);
let single=match open.count_ones(){0=>return false,1=>open,_=>hidden.into_iter().find(|&h|h!=0).unwrap_or(0),};if let Some(digit)=digits(single).next(){self.place(cell,
digit);continue 'again;}}return true;}}}struct Search<const N:usize>{weights:Vec<i64>,unit:i64,best:Option<(Grid<N>,i64)>,}impl<const N:usize>Search<N>{fn run(&mut self,
mut node:Node<N>,steps:usize){let mut length=MAX_STEP;loop{if!node.place_singles(){return;}if node.empty.is_empty(){let sum=self.sum_of_filled(&node);if self.best.is_none_or(|(_,
best)|best<sum){self.best=Some((node.grid,sum));}return;}let bound=self.improve_prices(&mut node,steps,&mut length);let Some((_,best))=self.best else{break};if bound<best+self.unit{return;
}if!self.remove_candidates(&mut node,bound-best-self.unit){break;}}let cell=self.branch(&node);let mut guesses:Vec<_> =self.losses(&node,cell).collect();guesses.sort_by_key(|&(_,
loss)|loss);for(digit,_)in guesses{let mut child=node.clone();child.place(cell,digit);self.run(child,STEPS[1]);}}fn first_prices(&self)->Vec<[i64;N]>{let mut sums=vec![0;
3*N];for cell in Cell::<N>::all(){for house in houses(cell){sums[house]+=self.weights[cell.index()];}}let price=|sum:i64|core::array::from_fn(|d|{sum*(d as i64+1)/(3*N as i64)}
);sums.into_iter().map(price).collect()}fn sum_of_filled(&self,node:&Node<N>)->i64{let gain=|(cell,digit):(Cell<N>,Digit<N>)|{self.gain(cell,digit)};node.grid.givens().map(gain).sum()}
#[inline]fn gain(&self,cell:Cell<N>,digit:Digit<N>)->i64{self.weights[cell.index()]*i64::from(digit.value())}#[inline]fn profits<'a>(&'a self,node:&'a Node<N>,cell:Cell<N>,
)->impl Iterator<Item=(Digit<N>,i64)>+'a{let[row,column,square]=houses(cell).map(|house|&node.prices[house]);digits(node.open[cell.index()]).map(move|digit|{let d=digit.index();
let price=row[d]+column[d]+square[d];(digit,self.gain(cell,digit)-price)})}fn losses<'a>(&'a self,node:&'a Node<N>,cell:Cell<N>,)->impl Iterator<Item=(Digit<N>,i64)>+'a{let most=self.profits(node,
cell).map(|(_,profit)|profit).max();let loss=move|(digit,profit)|(digit,most.unwrap_or(0)-profit,);self.profits(node,cell).map(loss)}fn improve_prices(&self,node:&mut Node<N>,
steps:usize,length:&mut i64,)->i64{let best=self.best.as_ref().map(|&(_,best)|best);let filled=self.sum_of_filled(node);let(mut lowest,mut lowest_prices)=(i64::MAX,
node.prices.clone(),);let mut excess=vec![[0_i64;N];3*N];let mut failures=0;for _ in 0..steps{let mut bound=filled;excess.as_flattened_mut().fill(0);for(house,&missing)in node.missing.iter().enumerate(){for digit in digits::<N>(missing){bound+=node.prices[house][digit.index()];
excess[house][digit.index()]=-1;}}for&cell in&node.empty{let profits=self.profits(node,cell);let most=profits.max_by_key(|&(_,profit)|profit);let(digit,profit)=most.expect("a candidate of each empty cell");
bound+=profit;for house in houses(cell){excess[house][digit.index()]+=1;}}failures+=1;if bound<lowest{if lowest-bound>self.unit/50{failures=0;}lowest=bound;lowest_prices.clone_from(&node.prices);
}if best.is_some_and(|best|bound<best+self.unit){break;}if failures>PATIENCE{failures=0;*length=*length*2/3;if*length<MIN_STEP{break;}node.prices.clone_from(&lowest_prices);
continue;}let norm:i64=excess.as_flattened().iter().map(|e|e*e).sum();if norm==0{break;}let target=best.unwrap_or(bound-bound/100);let step=(bound-target)/MAX_STEP**length/norm;
let prices=node.prices.as_flattened_mut().iter_mut();for(price,excess)in prices.zip(excess.as_flattened()){*price+=step*excess;}}node.prices=lowest_prices;lowest}
fn remove_candidates(&self,node:&mut Node<N>,most:i64)->bool{let mut removed=false;for k in 0..node.empty.len(){let cell=node.empty[k];let kept=self.losses(node,
cell).filter(|&(_,loss)|loss<=most);let kept=kept.fold(0,|mask,(digit,_)|mask|1<<digit.index());removed|=node.open[cell.index()]!=kept;node.open[cell.index()]=kept;
}removed}fn branch(&self,node:&Node<N>)->Cell<N>{let key=|& &cell:& &Cell<N>|{let candidates=i64::from(node.open[cell.index()].count_ones());let lost:i64=self.losses(node,
cell).map(|(_,loss)|loss).sum();let first=if self.best.is_none(){candidates}else{0};(first,Reverse(lost/candidates))};*node.empty.iter().min_by_key(key).expect("an empty cell")}
}}mod houses{mod map{}}mod mask{}pub mod nine{mod batch{mod text{}}mod layout{}mod rules{}}pub(crate)use heaviest::heaviest_solution;}pub mod generate{mod fill{}
}pub mod grid{use core::fmt;use core::num::NonZeroU8;use core::ops::Index;pub const MAX_SIDE:usize=36;#[derive(Clone,Copy,PartialEq,Eq,PartialOrd,Ord,Hash)]pub struct Digit<const N:usize>(NonZeroU8);
impl<const N:usize>Digit<N>{pub const fn new(value:u8)->Option<Self>{if value as usize>N{return None;}match NonZeroU8::new(value){Some(value)=>Some(Digit(value)),
None=>None,}}pub const fn from_index(index:usize)->Self{assert!(index<N,"a digit's index must be below N");match Self::new(index as u8+1){Some(digit)=>digit,None=>panic!("a digit's index must be below N"),
}}pub const fn value(self)->u8{self.0.get()}pub const fn index(self)->usize{self.0.get()as usize-1}pub fn all()->impl DoubleEndedIterator<Item=Self>+ExactSizeIterator{(0..N).map(Self::from_index)}
}impl<const N:usize>fmt::Display for Digit<N>{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{self.value().fmt(f)}}impl<const N:usize>fmt::Debug for Digit<N>{fn fmt(&self,
f:&mut fmt::Formatter<'_>)->fmt::Result{self.value().fmt(f)}}#[derive(Clone,Copy,PartialEq,Eq,Debug)]pub struct InvalidDigit{pub value:u8,pub max:u8,}impl fmt::Display for InvalidDigit{fn fmt(&self,
f:&mut fmt::Formatter<'_>)->fmt::Result{let InvalidDigit{value,max}=self;write!(f,"found {value}, expected a digit from 1 to {max}")}}impl std::error::Error for InvalidDigit{}
impl<const N:usize>TryFrom<u8>for Digit<N>{type Error=InvalidDigit;fn try_from(value:u8)->Result<Self,InvalidDigit>{let max=N as u8;Digit::new(value).ok_or(InvalidDigit{value,
max})}}impl<const N:usize>From<Digit<N> >for u8{fn from(digit:Digit<N>)->u8{digit.value()}}#[derive(Clone,Copy,PartialEq,Eq,PartialOrd,Ord,Hash)]pub struct Cell<const N:usize>{row:u8,
column:u8,}impl<const N:usize>Cell<N>{pub const fn new(row:usize,column:usize)->Option<Self>{if row<N&&column<N{Some(Cell{row:row as u8,column:column as u8,})}else{None}
}pub const fn at(row:usize,column:usize)->Self{match Self::new(row,column){Some(cell)=>cell,None=>panic!("a cell's row and column must be below N"),}}pub const fn from_index(index:usize)->Self{match Self::new(index/N,
index%N){Some(cell)=>cell,None=>panic!("a cell's index must be below N * N"),}}pub const fn row(self)->usize{self.row as usize}pub const fn column(self)->usize{self.column as usize}
pub const fn index(self)->usize{self.row()*N+self.column()}pub fn all()->impl DoubleEndedIterator<Item=Self>+ExactSizeIterator{(0..N*N).map(Self::from_index)}}impl<const N:usize>fmt::Display for Cell<N>{fn fmt(&self,
f:&mut fmt::Formatter<'_>)->fmt::Result{write!(f,"r{}c{}",self.row+1,self.column+1)}}impl<const N:usize>fmt::Debug for Cell<N>{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{fmt::Display::fmt(self,
f)}}#[derive(Clone,Copy,PartialEq,Eq,PartialOrd,Ord,Hash)]pub struct Grid<const N:usize>{rows:[[u8;N];N],}impl<const N:usize>Grid<N>{pub const EMPTY:Self={assert!(N>=1&&N<=MAX_SIDE,
"the side of a grid must be from 1 to 36",);Grid{rows:[[0;N];N]}};pub fn get(&self,cell:Cell<N>)->Option<Digit<N> >{NonZeroU8::new(self.rows[cell.row()][cell.column()]).map(Digit)}
pub fn set(&mut self,cell:Cell<N>,digit:Option<Digit<N> >){self.rows[cell.row()][cell.column()]=digit.map_or(0,Digit::value);}pub const fn rows(&self)->&[[u8;N];
N]{&self.rows}pub const fn values(&self)->&[u8]{self.rows.as_flattened()}pub const fn rows_mut(&mut self)->&mut[[u8;N];N]{&mut self.rows}pub fn givens(&self)->impl Iterator<Item=(Cell<N>,
Digit<N>)>+'_{Cell::all().filter_map(move|cell|self.get(cell).map(|digit|(cell,digit)))}}impl<const N:usize>Index<Cell<N> >for Grid<N>{type Output=Option<Digit<N> >;
fn index(&self,cell:Cell<N>)->&Option<Digit<N> >{let contents=const{let mut contents:[Option<Digit<N> >;MAX_SIDE+1]=[None;MAX_SIDE+1];let mut value=1;while value<=N{contents[value]=Digit::new(value as u8);
value+=1;}&{contents}};&contents[self.rows[cell.row()][cell.column()]as usize]}}impl<const N:usize>Default for Grid<N>{fn default()->Self{Self::EMPTY}}impl<const N:usize>fmt::Display for Grid<N>{fn fmt(&self,
f:&mut fmt::Formatter<'_>)->fmt::Result{for(index,&value)in self.values().iter().enumerate(){match value{_ if N>26&&index>0=>write!(f," {value}")?,_ if N>26=>write!(f,
"{value}")?,0=>f.write_str(".")?,1..=9 if N<=9=>write!(f,"{value}")?,_=>write!(f,"{}",char::from(b'A'+value-1))?,}}Ok(())}}impl<const N:usize>fmt::Debug for Grid<N>{fn fmt(&self,
f:&mut fmt::Formatter<'_>)->fmt::Result{for row in&self.rows{f.write_str("\n")?;for&value in row{match value{0=>f.write_str("  .")?,_=>write!(f,"{value:>3}")?,}}
}Ok(())}}}pub mod notation{mod error{use super::symbols::{MAX_SYMBOLS,first_symbol};use core::fmt;use std::io;#[derive(Clone,PartialEq,Eq,Debug)]pub enum Found{EndOfInput,
EndOfLine,Byte(u8),Word(String),}const WORD_CHARS:usize=32;impl Found{pub(super)fn word(word:&str)->Self{Found::Word(word.chars().take(WORD_CHARS).collect())}}impl fmt::Display for Found{fn fmt(&self,
f:&mut fmt::Formatter<'_>)->fmt::Result{match self{Found::EndOfInput=>f.write_str("the end of the input"),Found::EndOfLine=>f.write_str("the end of the line"),Found::Byte(b' ')=>f.write_str("a blank"),
Found::Byte(byte)if byte.is_ascii_graphic()=>{write!(f,"'{}'",char::from(*byte))}Found::Byte(byte)=>write!(f,"the byte 0x{byte:02x}"),Found::Word(word)=>write!(f,
"'{word}'"),}}}#[derive(Clone,PartialEq,Eq,Debug)]pub enum Expected{Words(&'static str,[usize;3]),Symbol{side:usize,row:usize,column:usize},Keyword(String),}impl Expected{pub(super)fn plain(words:&'static str)->Self{Expected::Words(words,
[0;3])}}impl fmt::Display for Expected{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{match self{Expected::Words(words,numbers)=>{let mut numbers=numbers.iter();
for(index,piece)in words.split("{}").enumerate(){if index>0{numbers.next().map_or(Ok(()),|number|number.fmt(f))?;}f.write_str(piece)?;}Ok(())}Expected::Symbol{side,
row,column}=>{write!(f,"cell {} of row {}: ",column+1,row+1)?;if*side>MAX_SYMBOLS{write!(f,"a number from 1 to {side}")?;}else{let first=first_symbol(*side);let last=(first-1).saturating_add(*side as u8);
write!(f,"'{}' to '{}'",char::from(first),char::from(last),)?;}f.write_str(", or '.', '0', '-', '*' or '?' for an empty cell",)}Expected::Keyword(word)=>write!(f,
"'{word}'"),}}}#[derive(Clone,PartialEq,Eq,Debug)]pub struct ParseError{pub line:u64,pub column:u64,pub found:Found,pub expected:Expected,}impl fmt::Display for ParseError{fn fmt(&self,
f:&mut fmt::Formatter<'_>)->fmt::Result{write!(f,"line {}, column {}: found {}, expected {}",self.line,self.column,self.found,self.expected,)}}impl std::error::Error for ParseError{}
#[derive(Debug)]pub enum ReadError{Io(io::Error),Parse(ParseError),}impl fmt::Display for ReadError{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{match self{ReadError::Io(error)=>{write!(f,
"failed to read the input: {error}")}ReadError::Parse(error)=>error.fmt(f),}}}impl std::error::Error for ReadError{fn source(&self)->Option<&(dyn std::error::Error+'static)>{match self{ReadError::Io(error)=>Some(error),
ReadError::Parse(_)=>None,}}}impl From<io::Error>for ReadError{fn from(error:io::Error)->Self{ReadError::Io(error)}}impl From<ParseError>for ReadError{fn from(error:ParseError)->Self{ReadError::Parse(error)}
}}mod input{use super::error::{Expected,Found,ParseError,ReadError};use super::{BUFFER_BYTES,FIRST_BYTES};use std::io::{self,Read};pub(super)const MAX_WORD_BYTES:usize=4096;
pub struct Input<R>{source:R,buffer:Vec<u8>,pub(super)next:usize,filled:usize,before:u64,line:u64,line_start:u64,}#[derive(Clone,Copy)]pub(super)struct Position{pub(super)line:u64,
pub(super)column:u64,}pub(super)fn is_blank(byte:u8)->bool{matches!(byte,b' '|b'\t'|b'\r'|0x0b|0x0c|0x1a)}impl<R:Read>Input<R>{pub fn new(source:R)->Self{Input{source,
buffer:vec![0;FIRST_BYTES],next:0,filled:0,before:0,line:1,line_start:0,}}pub fn starts_with(&mut self,byte:u8)->Result<bool,ReadError>{Ok(self.skip_blanks()?&&self.peek()?==Some(byte))}
pub fn end(&mut self)->Result<(),ReadError>{if self.skip_blanks()?{let found=self.found()?;return Err(self.error(found,Expected::plain("the end of the input")),);
}Ok(())}pub(super)fn skip_blanks(&mut self)->Result<bool,ReadError>{while let Some(byte)=self.peek()?{if byte==0xef&&self.offset()==0{self.skip_byte_order_mark()?;
}else if is_blank(byte)||byte==b'\n'{self.bump();}else{return Ok(true);}}Ok(false)}fn skip_byte_order_mark(&mut self)->Result<(),ReadError>{for&byte in b"\xef\xbb\xbf"{if self.peek()?!=Some(byte){let found=self.found()?;
let expected=Expected::plain("the rest of a byte-order mark",);return Err(self.error(found,expected));}self.bump();}self.line_start=self.offset();Ok(())}pub(super)fn end_row(&mut self,
expected:Expected,)->Result<(),ReadError>{while let Some(byte)=self.peek()?{if byte==b'\n'{self.bump();break;}if!is_blank(byte){return Err(self.error(Found::Byte(byte),
expected));}self.bump();}Ok(())}pub(super)fn word_up_to(&mut self,most:usize,)->Result<String,ReadError>{let mut word=String::new();let mut bytes=0_usize;while let Some(byte)=self.peek()?{if is_blank(byte)||byte==b'\n'{break;
}if bytes<=most{let printable=byte.is_ascii_graphic()&&bytes<most;bytes+=1;word.push(if printable{char::from(byte)}else{char::REPLACEMENT_CHARACTER},);}self.bump();
}Ok(word)}#[inline]pub(super)fn peek(&mut self)->Result<Option<u8>,ReadError>{if self.next==self.filled&&!self.fill()?{return Ok(None);}Ok(Some(self.buffer[self.next]))}
#[inline]pub(super)fn bump(&mut self){let byte=self.buffer[self.next];self.next+=1;if byte==b'\n'{self.start_line();}}#[inline]pub(super)fn buffered(&self)->&[u8]{&self.buffer[self.next..self.filled]}
#[inline]pub(super)fn take_line(&mut self,bytes:usize){self.next+=bytes;self.start_line();}#[inline]fn start_line(&mut self){self.line+=1;self.line_start=self.offset();
}#[inline(never)]fn fill(&mut self)->Result<bool,ReadError>{if self.filled==self.buffer.len(){self.buffer.resize(BUFFER_BYTES,0);}self.before+=self.filled as u64;
self.next=0;self.filled=0;loop{match self.source.read(&mut self.buffer){Ok(bytes)=>{self.filled=bytes;return Ok(bytes>0);}Err(error)if error.kind()==io::ErrorKind::Interrupted=>{}
Err(error)=>return Err(error.into()),}}}fn offset(&self)->u64{self.before+self.next as u64}pub(super)fn position(&self)->Position{Position{line:self.line,column:self.offset()-self.line_start+1,
}}pub(super)fn found(&mut self)->Result<Found,ReadError>{Ok(match self.peek()?{None=>Found::EndOfInput,Some(b'\n'|b'\r')=>Found::EndOfLine,Some(byte)=>Found::Byte(byte),
},)}pub(super)fn error(&self,found:Found,expected:Expected,)->ReadError{error_at(self.position(),found,expected)}}pub(super)fn error_at(position:Position,found:Found,
expected:Expected,)->ReadError{ReadError::Parse(ParseError{line:position.line,column:position.column,found,expected,})}}mod output{use super::{BUFFER_BYTES,FIRST_BYTES}
;use std::io::{self,Write};pub struct Output<W:Write>{sink:W,buffer:Vec<u8>,filled:usize,}impl<W:Write>Output<W>{pub fn new(sink:W)->Self{Output{sink,buffer:vec![0;
FIRST_BYTES],filled:0,}}pub fn text(&mut self,text:&str)->io::Result<()>{for piece in text.as_bytes().chunks(BUFFER_BYTES){self.make_room(piece.len())?;self.buffer[self.filled..self.filled+piece.len()].copy_from_slice(piece);
self.filled+=piece.len();}Ok(())}pub fn flush(&mut self)->io::Result<()>{self.empty_buffer()?;self.sink.flush()}pub fn finish(mut self)->io::Result<()>{self.flush()}
fn make_room(&mut self,bytes:usize)->io::Result<()>{if self.buffer.len()-self.filled<bytes{self.buffer.resize(BUFFER_BYTES,0);}if BUFFER_BYTES-self.filled<bytes{self.empty_buffer()?;
}Ok(())}fn empty_buffer(&mut self)->io::Result<()>{let filled=core::mem::replace(&mut self.filled,0);self.sink.write_all(&self.buffer[..filled])}}impl<W:Write>Drop for Output<W>{fn drop(&mut self){let _=self.flush();
}}}mod read{use super::error::{Expected,Found,ReadError};use super::input::{Input,MAX_WORD_BYTES,Position,error_at,is_blank};use super::symbols::{MAX_SYMBOLS,NO_SYMBOL,
is_empty_mark,table,value_of,values,};use super::{Layout,Notation};use crate::sudoku::grid::Grid;use std::io::Read;type Row<const N:usize> =[u8;N];impl<R:Read>Input<R>{pub fn grid<const N:usize>(&mut self,
notation:Notation,)->Result<Option<Grid<N> >,ReadError>{grid(self,notation)}pub fn expect_grid<const N:usize>(&mut self,notation:Notation,)->Result<Grid<N>,ReadError>{self.grid(notation)?.ok_or_else(| |{self.error(Found::EndOfInput,
shape(N,notation.layout))})}pub fn only_grid<const N:usize>(&mut self,notation:Notation,)->Result<Grid<N>,ReadError>{let grid=self.expect_grid(notation)?;self.end()?;
Ok(grid)}}fn grid<const N:usize,R:Read>(input:&mut Input<R>,notation:Notation,)->Result<Option<Grid<N> >,ReadError>{let mut grid=Grid::EMPTY;if notation.layout==Layout::Line&&fast_line(input,
&mut grid){return Ok(Some(grid));}if!input.skip_blanks()?{return Ok(None);}match notation.layout{Layout::Line=>line(input,&mut grid)?,Layout::Rows=>rows(input,&mut grid,
fast_row,symbol_row)?,Layout::Spaced=>{rows(input,&mut grid,fast_spaced_row,spaced_row)?}Layout::Brackets=>brackets(input,&mut grid)?,}Ok(Some(grid))}pub(super)fn shape(n:usize,
layout:Layout)->Expected{match layout{Layout::Line=>{Expected::Words("a grid: one line of {} cells",[n*n,0,0])}Layout::Rows=>{Expected::Words("a grid: {} rows of {} cells",
[n,n,0])}Layout::Spaced=>{Expected::Words("a grid: {} rows of {} numbers with blanks between",[n,n,0],)}Layout::Brackets=>{Expected::Words("a grid: '[' and {} rows of {} cells, each in brackets",
[n,n,0],)}}}#[inline]fn fast_line<const N:usize,R:Read>(input:&mut Input<R>,grid:&mut Grid<N>,)->bool{if N>MAX_SYMBOLS||input.buffered().get(N*N)!=Some(&b'\n'){return false;
}let cells=grid.rows_mut().as_flattened_mut();if!values::<N>(&input.buffered()[..N*N],cells){return false;}input.take_line(N*N+1);true}struct Table<const N:usize>;
impl<const N:usize>Table<N>{const VALUES:[u8;256]=table::<N>();}#[inline]fn fast_row<const N:usize,R:Read>(input:&mut Input<R>,row:&mut Row<N>,)->bool{let bytes=match input.buffered().get(..N+1){Some(bytes)if N<=MAX_SYMBOLS&&bytes[N]==b'\n'=>bytes,
_=>return false,};if N>=16{if!values::<N>(&bytes[..N],row){return false;}}else{let table=&Table::<N>::VALUES;let mut all=0;for(cell,&byte)in row.iter_mut().zip(bytes){*cell=table[byte as usize];
all|=*cell;}if all&NO_SYMBOL!=0{return false;}}input.take_line(N+1);true}#[inline]fn fast_spaced_row<const N:usize,R:Read>(input:&mut Input<R>,row:&mut Row<N>,)->bool{if N>9{return false;
}let bytes=input.buffered();let length=match(bytes.get(2*N-1),bytes.get(2*N)){(Some(b'\n'),_)=>2*N,(Some(b' '),Some(b'\n'))=>2*N+1,_=>return false,};let bytes=&bytes[..2*N];
let table=&Table::<N>::VALUES;let mut all=0;let mut blanks=0;for(cell,pair)in row.iter_mut().zip(bytes.chunks_exact(2)){*cell=table[pair[0]as usize];all|=*cell;blanks+=u32::from(pair[1]==b' ');
}if all&NO_SYMBOL!=0||(blanks as usize)<length-N-1{return false;}input.take_line(length);true}fn rows<const N:usize,R:Read>(input:&mut Input<R>,grid:&mut Grid<N>,
fast:impl Fn(&mut Input<R>,&mut Row<N>)->bool,slow:impl Fn(&mut Input<R>,&mut Row<N>,usize)->Result<(),ReadError>,)->Result<(),ReadError>{let first_line=input.position().line;
for(index,row)in grid.rows_mut().iter_mut().enumerate(){if fast(input,row){continue;}if!input.skip_blanks()?{let expected=Expected::Words("row {} of the {} rows of the grid that begins in line {}",
[index+1,N,first_line as usize],);return Err(input.error(Found::EndOfInput,expected));}slow(input,row,index)?;}Ok(())}fn symbol_row<const N:usize,R:Read>(input:&mut Input<R>,
row:&mut Row<N>,index:usize,)->Result<(),ReadError>{for(column,cell)in row.iter_mut().enumerate(){*cell=symbol::<N,R>(input,index,column)?;}input.end_row(Expected::Words("the end of row {} after its {} cells",
[index+1,N,0],),)}fn line<const N:usize,R:Read>(input:&mut Input<R>,grid:&mut Grid<N>,)->Result<(),ReadError>{for(index,row)in grid.rows_mut().iter_mut().enumerate(){for(column,
cell)in row.iter_mut().enumerate(){*cell=symbol::<N,R>(input,index,column)?;}}input.end_row(Expected::Words("the end of the line after {} cells",[N*N,0,0],),)}fn plain_row<const N:usize>(word:&str,
row:&mut Row<N>,index:usize,position:Position,)->Result<(),ReadError>{for(column,(cell,byte))in row.iter_mut().zip(word.bytes()).enumerate(){let(value,is_symbol)=value_of::<N>(byte);
if!is_symbol{let position=Position{column:position.column+column as u64,..position};let expected=expected_symbol(N,index,column);return Err(error_at(position,Found::Byte(byte),
expected));}*cell=value;}Ok(())}fn symbol<const N:usize,R:Read>(input:&mut Input<R>,row:usize,column:usize,)->Result<u8,ReadError>{if const{N>MAX_SYMBOLS}{return number(input,
N,row,column);}if let Some(byte)=input.peek()?{let(value,is_symbol)=value_of::<N>(byte);if is_symbol{input.bump();return Ok(value);}}let found=input.found()?;Err(input.error(found,
expected_symbol(N,row,column)))}fn number<R:Read>(input:&mut Input<R>,side:usize,row:usize,column:usize,)->Result<u8,ReadError>{let mut next=input.peek()?;while next.is_some_and(is_blank){input.bump();
next=input.peek()?;}let position=input.position();let mut digits=String::new();while let Some(byte)=input.peek()?{if!byte.is_ascii_digit()||digits.len()==MAX_WORD_BYTES{break;
}digits.push(char::from(byte));input.bump();}match(digits.parse::<u8>(),input.peek()?){(Ok(value),_)if usize::from(value)<=side=>return Ok(value),(_,Some(byte))if digits.is_empty()&&is_empty_mark(byte)=>{input.bump();
return Ok(0);}_=>{}}let found=match digits.is_empty(){true=>input.found()?,false=>Found::word(&digits),};Err(error_at(position,found,expected_symbol(side,row,column)))}
fn expected_symbol(side:usize,row:usize,column:usize)->Expected{Expected::Symbol{side,row,column,}}fn spaced_row<const N:usize,R:Read>(input:&mut Input<R>,row:&mut Row<N>,
index:usize,)->Result<(),ReadError>{for(column,cell)in row.iter_mut().enumerate(){while let Some(byte)=input.peek()?{if!is_blank(byte){break;}input.bump();}let position=input.position();
let word=input.word_up_to(MAX_WORD_BYTES)?;if column==0&&N>1&&N<=9&&word.len()==N{plain_row(&word,row,index,position)?;break;}let number=match word.as_bytes(){[b'.'|b'-'|b'*'|b'?']=>Some(0),
[b'+',..]=>None,_=>word.parse::<u8>().ok(),};*cell=match number{Some(number)if number as usize<=N=>number,_=>{let found=if word.is_empty(){input.found()?}else{Found::word(&word)}
;let expected=Expected::Words("number {} of row {}: 1 to {}, or 0 for an empty cell",[column+1,index+1,N],);return Err(error_at(position,found,expected));}};}input.end_row(Expected::Words("the end of row {} after its {} numbers",
[index+1,N,0],),)}fn brackets<const N:usize,R:Read>(input:&mut Input<R>,grid:&mut Grid<N>,)->Result<(),ReadError>{punctuation(input,b'[',Expected::plain("'[' before the first row"))?;
for(index,row)in grid.rows_mut().iter_mut().enumerate(){let number=index+1;if index>0{let expected=Expected::Words("',' and then row {} of {}",[number,N,0],);punctuation(input,
b',',expected)?;}let expected=Expected::Words("'[' before row {}",[number,0,0]);punctuation(input,b'[',expected)?;for(column,cell)in row.iter_mut().enumerate(){if column>0{let numbers=[column+1,
number,0];let expected=Expected::Words("',' and then cell {} of row {}",numbers,);punctuation(input,b',',expected)?;}input.skip_blanks()?;let quote=input.peek()?.filter(|byte|matches!(byte,
b'"'|b'\''));if quote.is_some(){input.bump();}*cell=symbol::<N,R>(input,index,column)?;if let Some(quote)=quote{let expected=Expected::plain("the same quote as before the symbol",
);punctuation(input,quote,expected)?;}}let numbers=[N,number,0];let expected=Expected::Words("']' after the {} cells of row {}",numbers,);punctuation(input,b']',
expected)?;}punctuation(input,b']',Expected::Words("']' after the {} rows",[N,0,0]),)}fn punctuation<R:Read>(input:&mut Input<R>,byte:u8,expected:Expected,)->Result<(),
ReadError>{if input.starts_with(byte)?{input.bump();return Ok(());}let found=input.found()?;Err(input.error(found,expected))}}mod symbols{pub(super)const MAX_SYMBOLS:usize=26;
pub(super)const fn is_empty_mark(byte:u8)->bool{(byte==b'.')|(byte==b'0')|(byte==b'-')|(byte==b'*')|(byte==b'?')}#[inline]pub(super)const fn first_symbol(n:usize)->u8{if n<=9{b'1'}
else{b'A'}}#[inline(always)]pub(super)const fn value_of<const N:usize>(byte:u8)->(u8,bool){let empty=is_empty_mark(byte);let index=byte.wrapping_sub(first_symbol(N));
let value=if empty{0}else{index.wrapping_add(1)};(value,empty|((index as usize)<N))}#[inline]pub fn values<const N:usize>(symbols:&[u8],values:&mut[u8],)->bool{let mut all=true;
for(value,&symbol)in values.iter_mut().zip(symbols){let(digit,is_symbol)=value_of::<N>(symbol);*value=digit;all&=is_symbol;}all}pub(super)const NO_SYMBOL:u8=0x80;
pub(super)const fn table<const N:usize>()->[u8;256]{let mut table=[NO_SYMBOL;256];let mut byte=0;while byte<256&&N<=MAX_SYMBOLS{let(value,is_symbol)=value_of::<N>(byte as u8);
if is_symbol{table[byte]=value;}byte+=1;}table}}pub(crate)use error::ReadError;pub(crate)use input::Input;pub(crate)use output::Output;pub const BUFFER_BYTES:usize=64*1024;
const FIRST_BYTES:usize=2*1024;#[derive(Clone,Copy,PartialEq,Eq,Hash,Debug)]pub enum Layout{Spaced,Rows,Line,Brackets,}#[derive(Clone,Copy,PartialEq,Eq,Hash,Debug)]pub struct Notation{layout:Layout,
empty:u8,}impl Notation{pub const SPACED:Self=Self::new(Layout::Spaced,b'0');const fn new(layout:Layout,empty:u8)->Self{Notation{layout,empty}}}}pub mod rate{mod step{}
}pub mod rules{mod boxes{use crate::sudoku::grid::{Cell,Grid};impl<const N:usize>Cell<N>{const BOX:(usize,usize)=box_shape(N);pub const fn box_index(self)->usize{let(height,
width)=Self::BOX;self.row()/height*height+self.column()/width}}#[inline(always)]pub const fn box_shape(n:usize)->(usize,usize){match n{4=>return(2,2),9=>return(3,
3),16=>return(4,4),25=>return(5,5),36=>return(6,6),_=>{}}let(mut height,mut next)=(1,2);while next*next<=n{if n.is_multiple_of(next){height=next;}next+=1;}(height,
n/height)}pub fn allows_classic<const N:usize>(grid:&Grid<N>)->bool{let(mut rows,mut columns,mut boxes)=([0u64;N],[0u64;N],[0u64;N],);for(row,line)in grid.rows().iter().enumerate(){for(column,
&value)in line.iter().enumerate(){if value>0{let bit=1u64<<(value-1);let house=Cell::<N>::at(row,column).box_index();if(rows[row]|columns[column]|boxes[house])&bit!=0{return false;
}rows[row]|=bit;columns[column]|=bit;boxes[house]|=bit;}}}true}}mod error{}mod house{}mod layout{}pub(crate)use boxes::allows_classic;}}mod program{pub mod digits{}
use std::fmt;use std::io::{self,StdinLock,StdoutLock};use std::process::ExitCode;use crate::sudoku::notation::{Input,Output,ReadError};pub type Result<T> =std::result::Result<T,
Failure>;#[derive(Debug)]pub enum Failure{Read(ReadError),Write(io::Error),NoSolution(u64),Message(String),}impl fmt::Display for Failure{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{match self{Failure::Read(error)=>error.fmt(f),
Failure::Write(error)=>error.fmt(f),Failure::NoSolution(1)=>{f.write_str("the puzzle has no solution: check its givens")}Failure::NoSolution(number)=>{write!(f,"puzzle {number} has no solution: check its givens")}
Failure::Message(message)=>f.write_str(message),}}}impl std::error::Error for Failure{}impl From<ReadError>for Failure{fn from(error:ReadError)->Self{Failure::Read(error)}
}impl From<io::Error>for Failure{fn from(error:io::Error)->Self{Failure::Write(error)}}impl From<&str>for Failure{fn from(message:&str)->Self{Failure::Message(message.to_owned())}
}impl From<String>for Failure{fn from(message:String)->Self{Failure::Message(message)}}pub fn run<S>(solve:S)->ExitCode where S:FnOnce(&mut Input<StdinLock>,&mut Output<StdoutLock>)->Result<()>,
{let mut output=Output::new(io::stdout().lock());let solved=solve(&mut Input::new(io::stdin().lock()),&mut output);let finished=output.finish();match solved.and_then(|()|Ok(finished?)){Ok(())=>ExitCode::SUCCESS,
Err(Failure::Write(error))if error.kind()==io::ErrorKind::BrokenPipe=>{ExitCode::SUCCESS}Err(error)=>{eprintln!("error: {error}");ExitCode::FAILURE}}}}
